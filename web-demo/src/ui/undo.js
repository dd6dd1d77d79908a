/** Undo and redo that say what they did, with a button that takes it back. */

/** @typedef {import('../app.js').App} App */

/** The past forms of the verbs that labels of undo steps begin with. */
const PAST = /** @type {Record<string, string>} */ ({
  add: 'added', allow: 'allowed', bake: 'baked', change: 'changed', clear: 'cleared', close: 'closed', delete: 'deleted', fit: 'fitted', keep: 'kept',
  move: 'moved', name: 'named', open: 'opened', remove: 'removed', reset: 'reset', reshape: 'reshaped', rotate: 'rotated', show: 'shown',
  suggest: 'suggested', swap: 'swapped', switch: 'switched', turn: 'turned',
});

/** Words that begin the rest of a label, which follows the verb: "door fitted into passage". */
const REST = /^(.+?)( (?:onto|into|in|for|up to|with) .+)$/;

/** Seconds until the message closes. */
const SECONDS = 8;

/** The label of an undo step as something that happened: "move path end" becomes "path end moved". @param {string} label */
export function happened(label) {
  const [, verb, object] = /^(\S+) (.+)$/.exec(label) ?? [];
  const past = PAST[verb];
  if (!past) return label;
  const [, thing, rest] = REST.exec(object) ?? [undefined, object, ''];
  return `${thing.replace(/^an? /, '')} ${past}${rest}`;
}

/** The open message of each page. @type {WeakMap<import('./notices.js').Notices, number>} */
const open = new WeakMap();

/** Undoes or redoes one step, and says which. @param {App} app @param {'undo' | 'redo'} way */
export function stepBack(app, way) {
  const { store, notices } = app;
  const label = way === 'undo' ? store.undoLabel : store.redoLabel;
  if (label === undefined) return;
  store[way]();
  const shown = open.get(notices);
  if (shown !== undefined) notices.close(shown);
  const back = way === 'undo' ? 'redo' : 'undo';
  const next = () => (back === 'redo' ? store.redoLabel : store.undoLabel);
  const id = notices.info(`${way === 'undo' ? 'Undone' : 'Redone'}: ${happened(label)}`, '', [
    { label: back === 'redo' ? 'Redo' : 'Undo', run: () => stepBack(app, back) },
  ], { seconds: SECONDS });
  open.set(notices, id);
  // Another edit makes the button mean something else.
  const end = store.subscribe(() => {
    if (next() === label) return;
    end();
    notices.close(id);
  });
}
