/** The stage worker: its own instance of the module, and a server that uses it. */
import { load } from 'walkmesh';
import { StageServer } from './server.js';

/** @typedef {import('./server.js').Message} Message */

/** A pause that lets waiting messages arrive first. */
function makeRest() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  return () => new Promise((/** @type {(value?: unknown) => void} */ done) => {
    waiting.push(done);
    port2.postMessage(0);
  });
}

const scope = /** @type {{ postMessage: (message: unknown, buffers: ArrayBuffer[]) => void, onmessage: ((event: MessageEvent) => void) | null }} */ (
  /** @type {unknown} */ (globalThis));
const loading = load();
/** @type {StageServer | undefined} */
let server;

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  if (!server) {
    const walkmesh = await loading;
    server ??= new StageServer(walkmesh, (answer, buffers = []) => scope.postMessage(answer, buffers), makeRest());
  }
  server.receive(/** @type {Message} */ (data));
};
