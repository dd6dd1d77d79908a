/** Makes a level in a worker. */

/** @typedef {import('./messages.js').LevelAnswer} LevelAnswer */
/** @typedef {import('./messages.js').LevelProgress} LevelProgress */
/** @typedef {import('./messages.js').LevelRequest} LevelRequest */

/**
 * @param {LevelRequest} request @param {{ signal: AbortSignal, onProgress: (progress: LevelProgress) => void }} options
 * @returns {Promise<{ level: import('./make-level.js').MadeLevel, key?: string }>} rejects with an Error whose message is for the user
 */
export function loadLevel(request, { signal, onProgress }) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'level' });
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener('abort', () => end(() => reject(signal.reason)));
    worker.onerror = (event) => {
      event.preventDefault();
      end(() => reject(new Error(`Reading the level failed: ${event.message ?? "the worker can't start"}. Reload the page.`)));
    };
    worker.onmessage = ({ data }) => {
      const answer = /** @type {LevelAnswer} */ (data);
      if ('progress' in answer) onProgress(answer.progress);
      else if ('error' in answer) end(() => reject(new Error(answer.error)));
      else end(() => resolve(answer));
    };
    worker.postMessage(request);
  });
}
