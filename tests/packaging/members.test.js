// What an editor offers users: members of the public classes, without those for the package itself.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { allowUndefined, avoidArrayArguments, stripInternal } from '../../scripts/types.js';
import { ROOT, pack } from './install.js';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Types of the package's inside: no public member has one in its signature. */
const INTERNAL_TYPES = /\b(Session|Handle|HandleKind|Owner|Module|TileHashes|CrowdView|WorkerThread)\b/;
/** Names that users saw once. */
const INTERNAL_NAMES = ['session', 'handle', 'lend', 'takeBack', 'failAllocationsAfter', 'filterAddress', 'addressFor', 'tileHashes', 'writeState', 'view'];

/** The public members of all public classes, and their constructors: `Class.member: type`. */
function listMembers() {
  pack();
  const entries = [...new Set(Object.values(manifest.exports).flatMap((entry) => entry.types ?? []))].map((path) => join(ROOT, path));
  assert.ok(entries.length >= 7 && entries.every((path) => existsSync(path)));
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, types: [], strict: true,
  });
  const checker = program.getTypeChecker();
  const exported = entries.flatMap((path) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path))))
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  const isOurs = (symbol) => symbol.declarations?.some((node) => node.getSourceFile().fileName.includes('/dist/types/'));
  const isPublic = (symbol) => !symbol.declarations?.some((node) => ts.getCombinedModifierFlags(node) & ts.ModifierFlags.NonPublicAccessibilityModifier);
  return [...new Set(exported)].filter((symbol) => symbol.flags & ts.SymbolFlags.Class && isOurs(symbol)).flatMap((symbol) => {
    const [, folder] = /\/dist\/types\/(recast-navigation\/)?/.exec(symbol.declarations[0].getSourceFile().fileName);
    const owner = `${folder ?? ''}${symbol.name}`;
    const [itself, instances] = [checker.getTypeOfSymbol(symbol), checker.getDeclaredTypeOfSymbol(symbol)];
    const members = [itself, instances].flatMap((type) => checker.getPropertiesOfType(type)).filter((member) => isOurs(member) && isPublic(member))
      .filter(({ name }) => !name.startsWith('__#') || name.includes('private@'))
      .map((member) => ({ owner, name: member.name, type: checker.typeToString(checker.getTypeOfSymbol(member), undefined, ts.TypeFormatFlags.NoTruncation) }));
    const constructors = itself.getConstructSignatures().filter(({ declaration }) => !declaration
      || !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier));
    return [...members, ...constructors.map((signature) => ({ owner, name: 'new', type: checker.signatureToString(signature) }))];
  });
}

test('types: editors offer no internals of public classes', () => {
  const members = listMembers();
  for (const [owner, name] of [['NavMesh', 'findPath'], ['NavMesh', 'free'], ['Crowd', 'step'], ['Walkmesh', 'bake'], ['Random', 'new']]) {
    assert.ok(members.some((member) => member.owner === owner && member.name === name), `${owner}.${name}`);
  }
  const bad = members.filter(({ name, type }) => INTERNAL_NAMES.includes(name) || name.includes('private@') || INTERNAL_TYPES.test(type));
  assert.deepEqual(bad, []);
});

test('types: classes that methods make have no public constructor', () => {
  const makers = new Set(listMembers().filter(({ name }) => name === 'new').map(({ owner }) => owner));
  for (const name of ['NavMesh', 'Filter', 'DynamicNavMesh', 'WorkerPool', 'Door', 'Search']) assert.ok(!makers.has(name), name);
  for (const name of ['Random', 'FixedStep', 'TileStreamer', 'MemoryTileCache']) assert.ok(makers.has(name), name);
});

test('types: all types that recast-navigation exports exist in its entries, so that changing an import compiles', () => {
  pack();
  const pairs = [['core', 'recast-navigation'], ['generators', 'recast-navigation'], ['three', 'recast-navigation-three']].map(([theirs, ours]) => (
    [join(ROOT, 'node_modules', '@recast-navigation', theirs, 'dist', 'index.d.ts'), join(ROOT, 'dist', 'types', ours, 'index.d.ts')]));
  const program = ts.createProgram(pairs.flat(), {
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [], strict: true,
  });
  const checker = program.getTypeChecker();
  const listTypes = (path) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path))).filter((symbol) => (
    (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol).flags & (ts.SymbolFlags.Type | ts.SymbolFlags.NamespaceModule)))
    .map(({ name }) => name);
  for (const [theirs, ours] of pairs) {
    const [needed, known] = [listTypes(theirs), new Set(listTypes(ours))];
    assert.ok(needed.length >= 8, `${theirs}: ${needed}`);
    assert.deepEqual(needed.filter((name) => !known.has(name)), [], theirs);
  }
});

test('types: the script removes internal members, and type arguments that older compilers lack', () => {
  const text = `export class Door {
    /** @internal */
    constructor(a: number);
    /** Opens it. */
    open(): void;
    /** @internal */
    session: Session;
    static "__#private@#ownerOf"(): void;
}
`;
  assert.equal(stripInternal(text), `export class Door {
    protected constructor();
    /** Opens it. */
    open(): void;
}
`);
  assert.equal(avoidArrayArguments('a: Uint8Array<ArrayBuffer>, b: Float32Array<ArrayBufferLike>'), 'a: ReturnType<Uint8Array["slice"]>, b: Float32Array');
});

test('types: optional fields allow undefined, once; fields with computed names stay', () => {
  const text = `type A = { a?: number, b?: number | undefined, c?: () => void, readonly d: string, [Symbol.toStringTag]?: 'A' };
type B = { a?: { b?: string } };
`;
  const allowed = `type A = { a?: number | undefined, b?: number | undefined, c?: (() => void) | undefined, readonly d: string, [Symbol.toStringTag]?: 'A' };
type B = { a?: { b?: string | undefined } | undefined };
`;
  assert.equal(allowUndefined(text), allowed);
  assert.equal(allowUndefined(allowed), allowed);
});
