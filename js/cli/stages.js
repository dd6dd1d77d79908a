/** `walkmesh stages`: writes every array of a bake to a file, and summary.json. */
import { join } from 'node:path';
import { addLevelOptions, readLevelFile } from './level-file.js';
import { makeFolder, writeAtomically } from './files.js';
import { start } from './nav-mesh-file.js';
import { addConfigOptions, readConfig } from './options.js';
import { formatBytes, printJson, printWarning } from './output.js';
import { bakeStageArrays } from './stage-arrays.js';

/** @param {string} level @param {string} folder @param {Record<string, any>} options */
async function run(level, folder, options) {
  const config = await readConfig(options);
  const geometry = await readLevelFile(level, options, printWarning);
  const walkmesh = await start();
  await makeFolder(folder);
  /** @type {Promise<void>[]} */
  const writes = [];
  const summary = bakeStageArrays(walkmesh, geometry, config, (name, bytes) => {
    writes.push(writeAtomically(join(folder, `${name}.bin`), bytes));
  }, { hasLayers: true });
  await Promise.all(writes);
  await writeAtomically(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 1)}\n`);
  summary.warnings.forEach(printWarning);
  if (options.json) {
    printJson(summary);
    return;
  }
  for (const [name, { bytes, fnv1a64 }] of Object.entries(summary.arrays)) {
    console.log(`${name.padEnd(24)}${formatBytes(bytes).padStart(10)}  ${fnv1a64}`);
  }
}

/** @param {import('commander').Command} program */
export function addStagesCommand(program) {
  addLevelOptions(addConfigOptions(program.command('stages')
    .description("write the arrays of all stages, and summary.json, to a folder")
    .argument('<level>', '.obj, .glb or .gltf')
    .argument('<folder>', 'write the arrays to this folder, made if it is missing')))
    .option('--json', 'print the summary as JSON')
    .action(run);
}
