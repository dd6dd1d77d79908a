/** A worker that only counts: what two threads at a time are worth on this machine, at this moment. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (count) => {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += i & 7;
  parentPort.postMessage(sum);
});
