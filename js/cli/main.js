/** The command line as a function: arguments in, exit status out. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { NavError } from '../runtime/errors.js';
import { addBakeCommand } from './bake.js';
import { addCheckCommand } from './check.js';
import { addConvertCommand } from './convert.js';
import { addDrawCommand } from './draw.js';
import { addGraphCommand } from './graph.js';
import { addInfoCommand } from './info.js';
import { addLinksCommand } from './links.js';
import { addPathCommand } from './path.js';
import { inFlags } from './output.js';
import { addQueryCommand } from './query.js';
import { addStagesCommand } from './stages.js';
import { UsageError } from './usage-error.js';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;

/** @param {URL} manifest package.json */
function createProgram(manifest) {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const program = new Command('walkmesh')
    .description('Navigation meshes: bake levels, find paths.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.replace(/\n$/, '')),
      writeErr: (text) => console.error(text.replace(/\n$/, '')),
      outputError: (text, write) => write(`${text.trim().replace(/^error: /, 'walkmesh: ').replaceAll('\n', ' ')}\n`),
    });
  for (const add of [addBakeCommand, addStagesCommand, addPathCommand, addQueryCommand, addInfoCommand, addLinksCommand, addGraphCommand,
    addDrawCommand, addConvertCommand, addCheckCommand]) {
    add(program);
  }
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

/**
 * @param {readonly string[]} args the arguments behind the name of the command
 * @param {URL} manifest package.json
 * @returns {Promise<number>} exit status: 0, 1 (the work failed) or 2 (bad usage); an error is one line on standard error
 */
export async function main(args, manifest) {
  try {
    await createProgram(manifest).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the error; help and version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_USAGE;
    const text = inFlags(error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
    const isExpected = error instanceof NavError || error instanceof UsageError;
    console.error(isExpected ? `walkmesh: ${text}` : `walkmesh: bug in Walkmesh, please report it: ${text}`);
    return error instanceof UsageError ? EXIT_BAD_USAGE : EXIT_FAILED;
  }
}
