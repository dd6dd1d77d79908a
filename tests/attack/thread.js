/**
 * The thread that runs cases one after another. workerData names a module with `openRunner`; a case that hangs, or takes the thread
 * down, is reported by the thread that waits (watch.js).
 */
import { parentPort, workerData } from 'node:worker_threads';

/**
 * @typedef {object} Runner
 * @property {(index: number) => Promise<Failure | undefined>} run
 * @property {() => string} id of the current case
 * @property {(error: unknown) => boolean} isAllowed true for an error that may reach the event loop
 * @property {() => void | Promise<void>} close
 */
/** @typedef {{ id: string, symptom: string, message: string }} Failure */

const { module, options, from, to, progress } = workerData;
const { openRunner, describe } = await import(module);
/** The number of the case that runs. */
const counter = new Int32Array(progress);
/** Errors outside of the call: in events, in promises that nobody awaits. @type {unknown[]} */
let strays = [];
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => { strays.push(error); });

/** @type {Runner} */
const runner = await openRunner(options);
for (let index = from; index < to; index++) {
  counter[0] = index;
  let failure;
  try {
    failure = await runner.run(index);
  } catch (error) {
    failure = { symptom: 'after the call', message: describe(error) };
  }
  await new Promise(setImmediate); // Node tells a rejection that nobody awaits only after the work of this turn
  const stray = strays.find((error) => !runner.isAllowed(error));
  if (!failure && stray !== undefined) failure = { symptom: 'an error that nobody catches', message: describe(stray) };
  strays = [];
  if (failure) parentPort?.postMessage({ id: runner.id(), ...failure, index });
}
await runner.close();
parentPort?.postMessage('done');
