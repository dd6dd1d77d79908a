// A worker that dies in the way that workerData.how names when tile (2, 1) has been baked for the first time.
import { parentPort, workerData } from 'node:worker_threads';
import '../../../js/workers/worker.js';

const post = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (message, transfer) => {
  const { x, z } = message.result?.log ?? {};
  if (x !== 2 || z !== 1 || Atomics.exchange(workerData.isDead, 0, 1) !== 0) {
    post(message, transfer);
  } else if (workerData.how === 'exit') {
    process.exit(7);
  } else {
    queueMicrotask(() => { throw new Error('something broke'); });
  }
};
