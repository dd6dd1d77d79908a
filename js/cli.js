#!/usr/bin/env node
/**
 * The command line. Exit status: 0, 1 (the work failed) or 2 (bad usage); an error is one line on standard error.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBakeCommand } from './cli/bake.js';
import { addCheckCommand } from './cli/check.js';
import { addConvertCommand } from './cli/convert.js';
import { addDrawCommand } from './cli/draw.js';
import { addInfoCommand } from './cli/info.js';
import { addPathCommand } from './cli/path.js';
import { addQueryCommand } from './cli/query.js';
import { addStagesCommand } from './cli/stages.js';
import { NavError } from './errors.js';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;

function createProgram() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const program = new Command('walkmesh')
    .description('Navigation meshes: bake levels, find paths.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/^error: /, 'walkmesh: ').replaceAll('\n', ' ')}\n`) });
  for (const add of [addBakeCommand, addStagesCommand, addPathCommand, addQueryCommand, addInfoCommand, addDrawCommand,
    addConvertCommand, addCheckCommand]) {
    add(program);
  }
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; help and version end with 0.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_BAD_USAGE;
  } else if (error instanceof NavError) {
    console.error(`walkmesh: ${error.message.replaceAll('\n', ' ')}`);
    process.exitCode = EXIT_FAILED;
  } else {
    const text = error instanceof Error ? error.message : String(error);
    console.error(`walkmesh: a mistake of ours, please report it: ${text.replaceAll('\n', ' ')}`);
    process.exitCode = EXIT_FAILED;
  }
}
