/** The command line as a function: arguments in, exit status out. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { NavError } from '../runtime/errors.js';
import { addBakeCommand } from './bake.js';
import { addCheckCommand } from './check.js';
import { addCompareCommand } from './compare.js';
import { addConvertCommand } from './convert.js';
import { addDrawCommand } from './draw.js';
import { addGraphCommand } from './graph.js';
import { addInfoCommand } from './info.js';
import { addLinksCommand } from './links.js';
import { addPathCommand } from './path.js';
import { inFlags, wasTold } from './output.js';
import { addQueryCommand } from './query.js';
import { addStagesCommand } from './stages.js';
import { UsageError } from './usage-error.js';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;

/** Where to read about the command that the arguments name. @param {readonly string[]} args @param {Command} program */
const hintOf = ([name], program) => `. See walkmesh ${program.commands.some((command) => command.name() === name) ? `${name} ` : ''}--help`;

/**
 * The text of an error of commander. If both an argument and an option are missing, it names the argument. If an option took the
 * argument as its value, it names that option.
 * @param {string} text @param {Command | undefined} command
 */
function describeMistake(text, command) {
  const missing = command?.registeredArguments.slice(command.args.length).find(({ required }) => required);
  if (!command || !missing || !/^error: (?:missing required argument|required option)/.test(text)) return text;
  const taker = command.options.find((option) => option.optional && typeof command.opts()[option.attributeName()] === 'string');
  const reason = taker && `: ${taker.long} has taken ${command.opts()[taker.attributeName()]}. Write ${taker.long} last, or ${taker.long}=VALUE`;
  return `error: missing required argument '${missing.name()}'${reason ?? ''}`;
}

/** @param {URL} manifest package.json @param {readonly string[]} args */
function createProgram(manifest, args) {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const program = new Command('walkmesh')
    .description('Navigation meshes: bake levels, find paths.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.replace(/\n$/, '')),
      writeErr: (text) => console.error(text.replace(/\n$/, '')),
      outputError(text, write) {
        const told = describeMistake(text, program.commands.find((command) => command.name() === args[0]));
        write(`${told.trim().replace(/^error: /, 'walkmesh: ').replaceAll('\n', ' ').replace(/\.$/, '')}${hintOf(args, program)}\n`);
      },
    });
  for (const add of [addBakeCommand, addStagesCommand, addPathCommand, addQueryCommand, addInfoCommand, addLinksCommand, addGraphCommand,
    addDrawCommand, addConvertCommand, addCheckCommand, addCompareCommand]) {
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
  const program = createProgram(manifest, args);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the error; help and version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_USAGE;
    if (wasTold(error)) return EXIT_FAILED;
    const text = inFlags(error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
    const isExpected = error instanceof NavError || error instanceof UsageError;
    console.error(isExpected ? `walkmesh: ${text}${error instanceof UsageError ? hintOf(args, program) : ''}` : `walkmesh: bug in Walkmesh, please report it: ${text}`);
    return error instanceof UsageError ? EXIT_BAD_USAGE : EXIT_FAILED;
  }
}
