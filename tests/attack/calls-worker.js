/** Runs cases in a thread: a case that hangs, or takes the thread down, is told by the thread that waits (calls.js). */
import { parentPort, workerData } from 'node:worker_threads';
import { Case, describe } from './case.js';
import { Shared } from './world.js';

const { targets, seed, from, to, longest, progress } = workerData;
/** Number of the case that runs, for the thread that waits. */
const counter = new Int32Array(progress);
/** @type {Case} */
let current;
/** Errors outside of the call: in events, in promises that nobody waits for. @type {unknown[]} */
let strays = [];
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => { strays.push(error); });

/** @param {import('./case.js').Failure} failure */
const report = (failure) => parentPort?.postMessage({ ...failure, seed, index: current.index });

let shared = await new Shared().open();
for (let index = from; index < to; index++) {
  counter[0] = index;
  current = new Case(shared, targets, seed, index, longest);
  let failure;
  try {
    failure = await current.run();
    const stray = strays.find((error) => !current.isAllowed(error));
    if (!failure && stray !== undefined) failure = { id: current.id, symptom: 'an error that nobody catches', message: describe(stray) };
  } catch (error) {
    failure = { id: current.id, symptom: 'after the call', message: describe(error) };
  }
  strays = [];
  if (failure || current.isSpoilt) {
    if (failure) report(failure);
    shared.close();
    shared = await new Shared().open();
  }
}
counter[0] = to;
shared.close();
parentPort?.postMessage('done');
