/**
 * `npm run types`: writes the declarations of the package (dist/types) from the comments in js/. The TypeScript compiler ignores
 * `stripInternal` in JavaScript, so that this script removes the members marked @internal: editors don't offer them to users.
 * Constructors marked @internal become protected: users get such objects from methods.
 *
 * Typed arrays have type arguments since TypeScript 5.7. The declarations express the same without them, for older compilers.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ROOT, run } from './setup.js';

const FOLDER = join(ROOT, 'dist', 'types');

/** True for members that users must not see. The compiler writes static #private methods under a name of its own. @param {ts.ClassElement} member */
const isInternal = (member) => ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal')
  || (member.name !== undefined && ts.isStringLiteral(member.name) && member.name.text.startsWith('__#'));

/**
 * A file of declarations without internal members of its classes.
 * @param {string} text
 * @returns {string}
 */
export function stripInternal(text) {
  const file = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.Latest, true);
  const members = file.statements.filter(ts.isClassDeclaration).flatMap((statement) => [...statement.members]).filter(isInternal);
  return members.reverse().reduce((rest, member) =>
    rest.slice(0, member.getFullStart()) + (ts.isConstructorDeclaration(member) ? '\n    protected constructor();' : '') + rest.slice(member.end), text);
}

/**
 * A file of declarations without type arguments of typed arrays: `Uint8Array<ArrayBuffer>` is what its method slice returns.
 * @param {string} text
 * @returns {string}
 */
export function avoidArrayArguments(text) {
  return text.replace(/\b(\w+Array)<ArrayBufferLike>/g, '$1').replace(/\b(\w+Array)<ArrayBuffer>/g, 'ReturnType<$1["slice"]>');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  run('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json']);
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(FOLDER, path), 'utf8');
    writeFileSync(join(FOLDER, path), avoidArrayArguments(stripInternal(text)));
  }
}
