// A worker that starts, takes everything and answers nothing.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', () => {});
