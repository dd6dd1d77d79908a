/** Finds the programs of browsers, and runs those that need no library. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of the first of these programs.
 * @param {string} variable an environment variable that may name the path @param {string[]} names on the PATH, the best first
 */
export function findProgram(variable, names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = process.env[variable] ?? paths.find((candidate) => existsSync(candidate));
  if (!path) throw new Error(`${names[0]} is missing: npm run setup installs it, or ${variable}=/path/to/${names[0]} says where it is`);
  return path;
}

/**
 * Starts a program that ends with this process, even if this process is killed: the kernel sends the signal.
 * @param {string} path @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 */
export function startProgram(path, args, options) {
  const program = spawn('setpriv', ['--pdeathsig', 'TERM', path, ...args], options);
  program.unref();
  return program;
}
