/** Pools of workers for tests. */
import { afterEach } from 'node:test';

/** @typedef {import('../../../js/index.js').WorkerPool} WorkerPool */

/**
 * A function that makes pools, which are freed after each test.
 * @param {import('../../../js/index.js').Walkmesh} walkmesh
 * @returns {(options: object) => WorkerPool}
 */
export function poolMaker(walkmesh) {
  /** @type {WorkerPool[]} */
  const pools = [];
  afterEach(() => pools.splice(0).forEach((pool) => pool.free()));
  return (options) => {
    const pool = walkmesh.createWorkerPool(options);
    pools.push(pool);
    return pool;
  };
}
