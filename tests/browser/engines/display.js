/** A virtual display: WebKitGTK's browser has no headless mode, and Firefox, which has one, draws WebGL only where there is a display. */
import { findProgram, startProgram } from './programs.js';

/** @type {ReturnType<typeof startDisplay> | undefined} */
let display;

/** @param {string} path of Xvfb @returns {Promise<{ name: string, close: () => void }>} */
export async function startDisplay(path) {
  const server = startProgram(path, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  server.ref(); // else this process may end before it hears that the server did
  const number = await new Promise((resolve, reject) => {
    let line = '';
    server.stdio[3]?.on('data', (bytes) => { line += bytes; });
    // Xvfb writes the number and the end of its line one after the other, and ends if it can't write the second.
    server.stdio[3]?.once('end', () => line && resolve(line.trim()));
    server.once('error', reject);
    server.once('exit', (status) => reject(new Error(`${path} ended with status ${status}`)));
  }).finally(() => server.unref());
  return { name: `:${number}`, close: () => void server.kill() };
}

/** The name of the display, such as ":0"; starts it if there is none. */
export async function openDisplay() {
  display ??= startDisplay(findProgram('XVFB', ['Xvfb']));
  return (await display).name;
}

export async function closeDisplay() {
  const open = display;
  display = undefined;
  (await open)?.close();
}
