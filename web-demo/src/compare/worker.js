/** The comparison worker: a server, and pauses that let waiting messages arrive. */
import { CompareServer } from './server.js';

const scope = /** @type {{ postMessage: (message: unknown, buffers: ArrayBuffer[]) => void, onmessage: ((event: MessageEvent) => void) | null }} */ (
  /** @type {unknown} */ (globalThis));
const rest = () => new Promise((done) => { setTimeout(done); });
const server = new CompareServer((answer, buffers) => scope.postMessage(answer, buffers), rest);

scope.onmessage = (/** @type {MessageEvent} */ { data }) => server.receive(data);
