/**
 * Writes files atomically: into a temporary file beside the target, which replaces it once its bytes are on the disk. No process
 * reads a half-written file, and the old one stays if the disk is full, or the command is ended.
 */
import { randomBytes } from 'node:crypto';
import { fstatSync, rmSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { NavError } from '../runtime/errors.js';
import { UsageError } from './usage-error.js';

/** @param {string} folder */
export async function makeFolder(folder) {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new NavError('file', `cannot create the folder ${folder}`, { field: 'folder', value: folder, cause });
  }
}

/** Temporary files that are being written. @type {Set<string>} */
const temporaries = new Set();
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Removes the temporary files, and ends the process as the signal does without a listener. @param {NodeJS.Signals} signal */
function endBy(signal) {
  for (const path of temporaries) rmSync(path, { force: true });
  for (const one of SIGNALS) process.off(one, endBy);
  process.kill(process.pid, signal);
}

/** Runs the writing of a temporary file, which a signal in between removes. @param {string} path @param {() => Promise<void>} write */
async function withTemporary(path, write) {
  if (temporaries.size === 0) for (const signal of SIGNALS) process.on(signal, endBy);
  temporaries.add(path);
  try {
    await write();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    temporaries.delete(path);
    if (temporaries.size === 0) for (const signal of SIGNALS) process.off(signal, endBy);
  }
}

/** Endings of files that people make, over which no result is written. */
const LEVELS = ['.obj', '.glb', '.gltf'];

/** True if a path is standard output: `-`, or a name of it such as /dev/stdout. @param {string} path */
export async function isStandardOutput(path) {
  if (path === '-') return true;
  try {
    const named = await stat(path), own = fstatSync(process.stdout.fd);
    return named.dev === own.dev && named.ino === own.ino;
  } catch {
    return false; // one of the two doesn't exist
  }
}

/** Writes to standard output. A reader that has gone (`| head -c 9`) is no error. @param {string | Uint8Array} contents @returns {Promise<void>} */
const writeOut = (contents) => new Promise((resolve, reject) => {
  process.stdout.write(contents, (error) => {
    if (error && /** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') reject(error);
    else resolve();
  });
});

/** Where a path leads, if it exists. @param {string} path */
const real = (path) => realpath(path).catch(() => undefined);

/**
 * Refuses to write over a level, or over a file that the command reads.
 * @param {string} output @param {readonly (string | undefined)[]} inputs
 */
export async function requireOutput(output, inputs) {
  if (LEVELS.includes(extname(output).toLowerCase())) throw new UsageError(`${output} is the name of a level: choose another one for the output`);
  const target = await real(output);
  for (const input of inputs) {
    if (target !== undefined && input !== undefined && await real(input) === target) throw new UsageError(`${output} would be overwritten, and is read: choose another name for the output`);
  }
}

/** @param {string} path @param {number | undefined} mode @param {string | Uint8Array} contents */
async function replace(path, mode, contents) {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}`);
  await withTemporary(temporary, async () => {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  });
}

/**
 * Replaces a file, or the target of a link, and keeps its mode. Standard output, a pipe or a device is written to.
 * @param {string} path @param {string | Uint8Array} contents
 */
export async function writeAtomically(path, contents) {
  try {
    if (await isStandardOutput(path)) return await writeOut(contents);
    const old = await stat(path).catch(() => undefined);
    if (old && !old.isFile() && !old.isDirectory()) await writeFile(path, contents);
    else await replace(old ? await realpath(path) : path, old && old.mode & 0o777, contents);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new NavError('file', `cannot write ${path} (${code})`, { field: 'file', value: path, cause });
  }
}
