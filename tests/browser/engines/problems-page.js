/**
 * Collects the errors of a page in engines whose driver doesn't report them. The server puts this script before all others of a
 * page; webkit.js reads `problems`.
 */
(() => {
  /** @type {{ text: string, isFatal: boolean }[]} */
  const problems = [];
  let end = () => {};
  const fatalProblem = new Promise((resolve) => { end = () => resolve(undefined); });
  const add = (/** @type {string} */ text, /** @type {boolean} */ isFatal) => {
    problems.push({ text, isFatal });
    if (isFatal) end();
  };
  const describe = (/** @type {any} */ error) => (error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error));
  addEventListener('error', (event) => {
    const { target } = event;
    if (target === window) add(`uncaught: ${describe(event.error ?? event.message)}`, true);
    else add(`not loaded: ${/** @type {any} */ (target).src ?? /** @type {any} */ (target).href}`, false);
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => add(`uncaught: ${describe(reason)}`, true));
  for (const level of /** @type {const} */ (['error', 'warn'])) {
    const write = console[level];
    console[level] = (...parts) => {
      add(`console.${level}: ${parts.join(' ')}`, false);
      write.apply(console, parts);
    };
  }
  Object.assign(window, { problems, fatalProblem });
})();
