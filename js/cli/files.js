/** Writes files atomically: no process can read a half-written one. */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NavError } from '../runtime/errors.js';

/** @param {string} folder */
export async function makeFolder(folder) {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new NavError('file', `cannot create the folder ${folder}`, { field: 'folder', value: folder, cause });
  }
}

/** Writes beside the target, then renames. @param {string} path @param {string | Uint8Array} contents */
export async function writeAtomically(path, contents) {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await writeFile(temporary, contents);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw new NavError('file', `cannot write ${path} (${code})`, { field: 'file', value: path, cause });
  }
}
