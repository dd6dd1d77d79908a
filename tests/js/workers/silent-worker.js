// A worker that starts, accepts all messages and never responds.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => {});
