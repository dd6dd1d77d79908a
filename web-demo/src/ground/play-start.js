/** Where play starts: a spot that the user chose, whose island is the main ground. The document stores it in `places`, as the tools' markers. */

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */

/** @type {(value: unknown) => value is Point} */
const isPoint = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

/** @param {Pick<Document, 'places'>} document @returns {Point | null} null: none is chosen */
export function playStartOf({ places }) {
  const point = places.playStart?.point;
  return isPoint(point) ? point : null;
}

/** Chooses where play starts, as one undo step. @param {App} app @param {Point} point */
export function choosePlayStart({ store }, point) {
  store.commit();
  store.edit(playStartOf(store.state.document) ? 'move play start' : 'add play start', ({ places }) => { places.playStart = { ...places.playStart, point }; });
  store.commit();
}

/** @param {App} app */
export function removePlayStart({ store }) {
  store.commit();
  store.edit('remove play start', ({ places }) => { delete places.playStart; });
  store.commit();
}
