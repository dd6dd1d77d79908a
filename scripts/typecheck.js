/**
 * `npm run typecheck`: checks the types of the JavaScript.
 *
 *   node scripts/typecheck.js [tsconfig.json] [web-demo/tsconfig.json]     default: both
 *
 * Other than `tsc -p`, it reports only errors in files that the configuration includes itself: the files of js/ that the level tool
 * imports are checked with the package, and checking them twice would take half of the time.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './setup.js';

const CONFIGURATIONS = ['tsconfig.json', 'web-demo/tsconfig.json'];

/** @type {ts.FormatDiagnosticsHost} */
const format = { getCurrentDirectory: () => ROOT, getCanonicalFileName: (path) => path, getNewLine: () => '\n' };

/** The errors of the files that a configuration includes. @param {string} path @returns {ts.Diagnostic[]} */
function check(path) {
  /** @type {ts.Diagnostic[]} */
  const broken = [];
  const configuration = ts.getParsedCommandLineOfConfigFile(join(ROOT, path), {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => broken.push(diagnostic) });
  if (!configuration) return broken;
  const { options, fileNames, errors } = configuration;
  const program = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
  const own = fileNames.flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return [...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...own];
}

const paths = process.argv.slice(2);
const found = (paths.length > 0 ? paths : CONFIGURATIONS).flatMap(check);
if (found.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(found, format));
process.exitCode = found.length > 0 ? 1 : 0;
