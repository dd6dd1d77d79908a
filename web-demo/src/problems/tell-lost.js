/** Says which placed objects no longer fit a level that has changed, once it is baked and its problems are listed. */
import { countWork } from '../project/work.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./list-problems.js').Problem} Problem */

/** Words for lost objects, by the beginning of a problem's key: of one object, and of several. @type {Record<string, [one: string, many: string]>} */
const WORDS = {
  forbidden: ['forbidden link matches no link', 'forbidden links match no link'],
  pinned: ['pinned link no longer fits', 'pinned links no longer fit'],
  connection: ['connection is dead', 'connections are dead'],
  door: ['door no longer closes a passage', 'doors no longer close a passage'],
  floating: ['object touches no ground', 'objects touch no ground'],
  item: ["object isn't in the mesh", "objects aren't in the mesh"],
};

/** @param {Problem} problem */
const groupOf = ({ key }) => key.split(' ')[0];

/** @param {readonly Problem[]} lost */
function wordsFor(lost) {
  return Object.entries(WORDS).flatMap(([group, [one, many]]) => {
    const count = lost.filter((problem) => groupOf(problem) === group).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  }).join(', ');
}

/**
 * Waits for the list of problems, and tells those of placed objects that it lacked before. Called once the document names the level.
 * @param {App} app @param {string} title of the message
 */
export function tellLost({ bakes, events, levels, links, notices, panels, problems, store }, title) {
  const before = new Set(problems.list.map(({ key }) => key));
  const { level } = store.state.document, hadWork = countWork(store.state.document) > 0;
  const isKnown = () => !levels.isLoading && bakes.current && !bakes.isStale && store.state.session.bake.state === 'done' && !links.isPending && problems.isComplete;
  const look = () => {
    // Undo removes what was kept.
    const isSame = store.state.document.level.key === level.key && (!hadWork || countWork(store.state.document) > 0);
    if (isSame && !isKnown()) return;
    end();
    if (!isSame) return;
    const lost = problems.list.filter((problem) => groupOf(problem) in WORDS && !before.has(problem.key));
    if (lost.length === 0) {
      notices.info(title, 'Everything that is placed still fits.', [], { topic: 'level' });
      return;
    }
    notices.warn(title, `${wordsFor(lost)}.`, [{
      label: 'Show', run: () => {
        panels.reveal('problems');
        problems.show(lost[0]);
      },
    }], { topic: 'level' });
  };
  const end = events.on('cause', look);
}
