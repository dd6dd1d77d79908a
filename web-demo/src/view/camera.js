/** Keeps the camera of the state and of the view equal. */

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */

/** @param {number} value rounded to a thousandth for the address */
const round = (value) => Math.round(value * 1000) / 1000;

/** Moves the view's camera to that of the state, if it has one. @param {App} app */
export function applyCamera({ viewport, store }) {
  const wanted = store.state.view.camera;
  if (!wanted) return;
  viewport.camera.position.fromArray(wanted.position);
  viewport.controls.target.fromArray(wanted.target);
  viewport.controls.update();
  viewport.invalidate();
}

/** @param {App} app */
export function followCamera(app) {
  const { viewport, store } = app;
  const { controls, camera } = viewport;
  const showAxes = () => {
    viewport.axes.isShown = store.state.view.axes;
    viewport.invalidate();
  };
  controls.addEventListener('end', () => {
    const position = /** @type {Point} */ (camera.position.toArray().map(round));
    const target = /** @type {Point} */ (controls.target.toArray().map(round));
    store.setView({ camera: { position, target } });
  });
  store.subscribe((state, previous) => {
    if (state.view.clip !== previous.view.clip) viewport.setClip(state.view.clip);
    if (state.view.axes !== previous.view.axes) showAxes();
  });
  viewport.setClip(store.state.view.clip);
  showAxes();
  applyCamera(app);
}
