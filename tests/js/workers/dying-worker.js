// A worker that dies of tile 2, 1 in the way that workerData.how says, the first time that one gets there.
import { parentPort, workerData } from 'node:worker_threads';
import '../../../js/workers/worker.js';

parentPort.on('message', ({ type, x, z }) => {
  if (type !== 'tile' || x !== 2 || z !== 1 || Atomics.exchange(workerData.isDead, 0, 1) !== 0) return;
  if (workerData.how === 'exit') process.exit(7);
  throw new Error('something broke');
});
