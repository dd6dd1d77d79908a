/** `walkmesh query`: a file of questions, and the answers of nine kinds as files. */
import { join } from 'node:path';
import { NavError } from '../runtime/errors.js';
import { hashBytes } from '../runtime/hash.js';
import { readBytes } from '../level/files.js';
import { makeFolder, writeAtomically } from './files.js';
import { openNavMesh } from './nav-mesh-file.js';
import { formatBytes, printJson } from './output.js';
import { answerQuestions } from './query-answers.js';

/** @param {string} file @param {string} questions @param {string} folder @param {Record<string, any>} options */
async function run(file, questions, folder, options) {
  const { navMesh } = await openNavMesh(file);
  const bytes = await readBytes(questions);
  let answers;
  try {
    answers = answerQuestions(navMesh, bytes);
  } catch (cause) {
    if (!(cause instanceof NavError) || !['corrupt', 'limit'].includes(cause.code)) throw cause;
    const path = cause.code === 'limit' ? file : questions;
    throw new NavError('file', `${path}: ${cause.message}`, { field: 'file', value: path, cause });
  }
  await makeFolder(folder);
  const kinds = Object.entries(answers);
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
    .description('answer a file of questions, of nine kinds each, into a folder')
    .argument('<navmesh>', '.walkmesh, or a Detour tile or set; of one tile')
    .argument('<questions.bin>', 'u32 count; each u32 polygon, f32[3] start, u32 polygon, f32[3] end, f32[3] near')
    .argument('<folder>')
    .option('--json', 'print sizes and hashes as JSON')
    .action(run);
}
