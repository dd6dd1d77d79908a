// A worker that waits before each answer, for a time that workerData.seed decides: tiles are finished in any order.
import { parentPort, workerData } from 'node:worker_threads';
import '../../../js/workers/worker.js';

const MOST_MILLISECONDS = 6;
const still = new Int32Array(new SharedArrayBuffer(4));
let state = workerData.seed;
const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (message, transfer) => {
  state = (state * 48271) % 0x7fffffff;
  // Mostly short, sometimes long.
  Atomics.wait(still, 0, 0, (state % 7 === 0 ? MOST_MILLISECONDS : 0.2) * ((state % 100) / 100));
  post(message, transfer);
};
