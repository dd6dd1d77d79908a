/** A worker that only counts: measures the speed-up of two threads on this machine at this moment. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (count) => {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += i & 7;
  parentPort.postMessage(sum);
});
