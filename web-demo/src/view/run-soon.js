/** Runs work in a later task of the page: without the pause of a timer, and not only once per frame. */

/** @type {(() => void)[]} */
const waiting = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => waiting.shift()?.();
// In Node, where tests run, an open port would keep the process alive.
/** @type {any} */ (port1).unref?.();

/** @param {() => void} run */
export function runSoon(run) {
  waiting.push(run);
  port2.postMessage(null);
}
