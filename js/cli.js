#!/usr/bin/env node
/** The command line. The package has it as dist/cli.js, in one file. */
import { main } from './cli/main.js';
import { watchOutput } from './cli/output.js';

watchOutput();
const status = await main(process.argv.slice(2), new URL('../package.json', import.meta.url));
process.exitCode ||= status;
