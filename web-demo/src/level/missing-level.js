/** Decides what an opened file is: the level that the document waits for, a new version of the open level, or another level. */
import { beginWithWork, countWork } from '../project/work.js';
import { hashesDiffer } from './hashes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document['level']} LevelName */

/**
 * @param {App} app @param {LevelName & { key: string }} opened
 * @returns {Promise<{ descriptor: LevelName, keepsWork: boolean } | null>} null: the user cancelled
 */
export async function chooseRole(app, opened) {
  const { document, session } = app.store.state;
  const wanted = document.level;
  const asIt = { descriptor: opened, keepsWork: wanted.name === opened.name };
  if (!session.missing || wanted.kind !== 'file') return asIt;
  // The same contents under another name are the level that is missing.
  if (wanted.key === opened.key) return { descriptor: wanted, keepsWork: true };
  const isNamed = wanted.name === opened.name;
  if (isNamed && !hashesDiffer(wanted.key ?? '', opened.key)) return { descriptor: { ...wanted, key: opened.key }, keepsWork: true };
  if (!isNamed && countWork(document) === 0) return asIt;
  const inPlace = { descriptor: { ...wanted, name: opened.name, key: opened.key }, keepsWork: true };
  if (isNamed) {
    const answer = await app.questions.ask({
      title: `${opened.name} has changed`,
      text: `The file isn't the one that this work was made with. ${beginWithWork(document)} may no longer fit.`,
      answers: [{ id: 'use', label: 'Use this file' }],
    });
    return answer && inPlace;
  }
  const answer = await app.questions.ask({
    title: `Open ${opened.name}?`, text: `${beginWithWork(document)} belong to ${wanted.name}, which this browser doesn't have.`,
    answers: [
      { id: 'replace', label: `Use it in place of ${wanted.name}`, hint: 'Keeps everything that is placed.' },
      { id: 'new', label: 'Open it as a new level', hint: 'Removes what is placed; Undo brings it back.' },
    ],
  });
  return answer && (answer === 'replace' ? inPlace : asIt);
}
