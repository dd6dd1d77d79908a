/** `walkmesh query`: runs a file of queries of nine kinds, and writes a file of results per kind. */
import { join } from 'node:path';
import { NavError } from '../runtime/errors.js';
import { hashBytes } from '../runtime/hash.js';
import { readBytes } from '../level/files.js';
import { makeFolder, writeAtomically } from './files.js';
import { openForQueries } from './nav-mesh-file.js';
import { formatBytes, printJson } from './output.js';
import { runQueries } from './query-results.js';

/** @param {string} file @param {string} queries @param {string} folder @param {Record<string, any>} options */
async function run(file, queries, folder, options) {
  const { navMesh } = await openForQueries(file);
  const bytes = await readBytes(queries);
  let results;
  try {
    results = runQueries(navMesh, bytes);
  } catch (cause) {
    if (!(cause instanceof NavError) || !['corrupt', 'limit'].includes(cause.code)) throw cause;
    const path = cause.code === 'limit' ? file : queries;
    throw new NavError('file', `${path}: ${cause.message}`, { field: 'file', value: path, cause });
  }
  await makeFolder(folder);
  const kinds = Object.entries(results);
  await Promise.all(kinds.map(([kind, array]) => writeAtomically(join(folder, `${kind}.bin`), array)));
  const arrays = Object.fromEntries(kinds.map(([kind, array]) => [kind, { bytes: array.length, fnv1a64: hashBytes(array) }]));
  if (options.json) {
    printJson({ arrays });
    return;
  }
  for (const [kind, { bytes: size, fnv1a64 }] of Object.entries(arrays)) {
    console.log(`${kind.padEnd(24)}${formatBytes(size).padStart(10)}  ${fnv1a64}`);
  }
}

/** @param {import('commander').Command} program */
export function addQueryCommand(program) {
  program.command('query')
    .description('run a file of queries, nine kinds each, and write the results to a folder')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set; of one tile')
    .argument('<queries.bin>', 'u32 count; each u32 polygon, f32[3] start, u32 polygon, f32[3] end, f32[3] near')
    .argument('<folder>')
    .option('--json', 'print sizes and hashes as JSON')
    .action(run);
}
