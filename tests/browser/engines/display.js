/** A virtual display: WebKitGTK's browser has no headless mode, and Firefox draws WebGL only where there is a display. */
import { findProgram, startProgram } from './programs.js';

/** @type {Promise<{ name: string, close: () => void }> | undefined} */
let display;

async function startDisplay() {
  const path = findProgram('XVFB', ['Xvfb']);
  const server = startProgram(path, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise((resolve, reject) => {
    server.stdio[3]?.once('data', (bytes) => resolve(String(bytes).trim()));
    server.once('exit', (status) => reject(new Error(`${path} ended with status ${status}`)));
  });
  server.stdio[3]?.destroy();
  return { name: `:${number}`, close: () => void server.kill() };
}

/** The name of the display, such as ":0"; starts it if there is none. */
export async function openDisplay() {
  display ??= startDisplay();
  return (await display).name;
}

export async function closeDisplay() {
  const open = display;
  display = undefined;
  (await open)?.close();
}
