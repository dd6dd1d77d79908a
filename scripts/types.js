/**
 * `npm run types`: writes the declarations of the package (dist/types) from the comments in js/. The TypeScript compiler ignores
 * `stripInternal` in JavaScript, so that this script removes the members marked @internal: editors don't offer them to users.
 * Constructors marked @internal become protected: users get such objects from methods.
 *
 * Typed arrays have type arguments since TypeScript 5.7. The declarations express the same without them, for older compilers.
 * Optional fields may be undefined, also in projects with `exactOptionalPropertyTypes`: the package reads undefined as missing.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/**
 * A file of declarations in which every optional field, `name?: T`, allows undefined. The compiler writes so only in some of its forms.
 * Fields with computed names stay: they tell kinds of numbers apart, and nobody sets them.
 * @param {string} text
 * @returns {string}
 */
export function allowUndefined(text) {
  const file = ts.createSourceFile('types.d.ts', text, ts.ScriptTarget.Latest, true);
  /** @type {ts.TypeNode[]} */
  const strict = [];
  const isUndefined = (/** @type {ts.TypeNode} */ type) => type.kind === ts.SyntaxKind.UndefinedKeyword;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isPropertySignature(node) && node.questionToken && node.type && ts.isIdentifier(node.name)) {
      if (!(ts.isUnionTypeNode(node.type) ? node.type.types.some(isUndefined) : isUndefined(node.type))) strict.push(node.type);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const edits = strict.flatMap((type) => (ts.isFunctionTypeNode(type) || ts.isConditionalTypeNode(type)
    ? [{ at: type.getStart(), add: '(' }, { at: type.end, add: ') | undefined' }] : [{ at: type.end, add: ' | undefined' }]));
  return edits.sort((a, b) => b.at - a.at).reduce((rest, { at, add }) => rest.slice(0, at) + add + rest.slice(at), text);
}

/** The declarations in a folder, as paths in it. @param {string} folder */
const listDeclarations = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));

/** Writes the declarations. A test that reads them meanwhile finds each file whole, as it was or as it is now. */
function makeTypes() {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const made = mkdtempSync(join(ROOT, 'build', 'types-'));
  try {
    // `npm run typecheck` checks the same files.
    run('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--noCheck', '--outDir', made]);
    const paths = listDeclarations(made);
    for (const path of paths) {
      writeFileSync(join(made, path), allowUndefined(avoidArrayArguments(stripInternal(readFileSync(join(made, path), 'utf8')))));
      mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
      renameSync(join(made, path), join(FOLDER, path));
    }
    for (const path of listDeclarations(FOLDER)) if (!paths.includes(path)) rmSync(join(FOLDER, path));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Makes dist/types if it is missing or older than its sources: a test that reads the declarations runs alone, too. */
export function ensureTypes() {
  const sources = readdirSync(join(ROOT, 'js'), { recursive: true, encoding: 'utf8' }).map((path) => join('js', path));
  const writtenAt = (/** @type {string} */ path) => statSync(join(ROOT, path)).mtimeMs;
  const newest = Math.max(...['tsconfig.types.json', 'package.json', join('scripts', 'types.js'), ...sources].map(writtenAt));
  const made = join('dist', 'types', 'index.d.ts');
  if (!existsSync(join(ROOT, made)) || writtenAt(made) <= newest) makeTypes();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeTypes();
