/**
 * The public functions, methods and setters of the package with the types of their arguments, read from the declarations
 * (dist/types) by the TypeScript compiler: a method that is added to the package is attacked without a change here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../../scripts/setup.js';

/** The entries that are attacked, and their declarations in dist/types. */
export const ENTRIES = {
  index: 'index.d.ts', core: 'core.d.ts', game: 'game.d.ts', level: 'level/index.d.ts', node: 'node/index.d.ts', three: 'three/index.d.ts',
  'recast-navigation': 'recast-navigation/index.d.ts', 'recast-navigation/three': 'recast-navigation-three/index.d.ts',
};
/**
 * Entries without functions to call: the worker's answers messages, which workers.test.js and tests/js/worker-faults.test.js send.
 * `walkmesh/inline` and `walkmesh/recast-navigation/generators` have the declarations, and the functions, of others. The command
 * line is no entry: command.test.js.
 */
const WITHOUT_FUNCTIONS = ['workers/worker.d.ts'];
/** Entries that also export names of another, which is attacked by itself: true for the files of those. @type {Record<string, (file: string) => boolean>} */
const PART_OF = { 'recast-navigation/three': (file) => file.startsWith('recast-navigation/'), game: (file) => file !== ENTRIES.game };

/** Throws if package.json has an entry that is missing above. */
function requireAllEntries() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const known = [...Object.values(ENTRIES), ...WITHOUT_FUNCTIONS];
  const unknown = Object.entries(exports).filter(([, { types }]) => types && !known.includes(types.replace('./dist/types/', '')));
  if (unknown.length > 0) throw new Error(`entries of package.json that no case attacks (tests/attack/api.js): ${unknown.map(([name]) => name).join(', ')}`);
}

/**
 * A type, as data. `name` is the name of a declared type, for which values.js may have an example.
 * @typedef {{ kind: 'number' | 'string' | 'boolean' | 'undefined' | 'null' | 'any', name?: string }
 *   | { kind: 'literal', value: unknown, name?: string } | { kind: 'named' | 'class', name: string }
 *   | { kind: 'union' | 'tuple', of: Type[], name?: string } | { kind: 'array', of: Type, name?: string }
 *   | { kind: 'function', returns: Type, name?: string } | { kind: 'object', fields: Record<string, Type>, name?: string }} Type
 */
/**
 * @typedef {object} Target something that can be called
 * @property {string} id such as `NavMesh.findPath`, `new Random`, `parseObj`, `Filter.includeFlags =`
 * @property {string} entry @property {string} owner the class, or '' @property {string} name
 * @property {'function' | 'constructor' | 'method' | 'getter' | 'setter'} kind
 * @property {{ name: string, type: Type }[]} parameters
 */

/** Depth of objects in objects that is described; below it, any value. */
const MOST_DEPTH = 5;

/** The file of a symbol's declaration, in dist/types; '' for symbols of others. @param {ts.Symbol | undefined} symbol */
const fileOf = (symbol) => symbol?.declarations?.[0].getSourceFile().fileName.split('/dist/types/')[1] ?? '';

/** The name of a declared type, as `import("./x.js").Point` or `Point`; undefined for others. @param {ts.TypeNode | undefined} node */
const nameOf = (node) => node && /^(?:import\("[^"]+"\)\.)?(\w+)(?: \| null)?$/.exec(node.getText())?.[1];

export class ApiReader {
  /** @param {ReadonlySet<string>} named types that values.js has examples of */
  constructor(named) {
    this.named = named;
    const files = Object.values(ENTRIES).map((file) => join(ROOT, 'dist', 'types', file));
    this.program = ts.createProgram(files, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, types: [],
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'], skipLibCheck: true, noEmit: true });
    this.checker = this.program.getTypeChecker();
    /** The names of classes whose objects users hold. @type {Set<string>} */
    this.classes = new Set();
    /** The entry that is read. */
    this.entry = '';
  }

  /** @returns {Target[]} */
  read() {
    requireAllEntries();
    return Object.entries(ENTRIES).flatMap(([entry, file]) => {
      const source = this.program.getSourceFile(join(ROOT, 'dist', 'types', file));
      if (!source) throw new Error(`dist/types/${file} is missing: run npm run types`);
      const module = /** @type {ts.Symbol} */ (this.checker.getSymbolAtLocation(source));
      this.entry = entry;
      /** Some classes are exported under several names. @type {Set<ts.Symbol>} */
      const seen = new Set();
      return this.checker.getExportsOfModule(module).flatMap((symbol) => this.#readExport(entry, symbol, source, seen));
    });
  }

  /** @param {string} entry @param {ts.Symbol} symbol @param {ts.SourceFile} source @param {Set<ts.Symbol>} seen @returns {Target[]} */
  #readExport(entry, symbol, source, seen) {
    const { checker } = this;
    const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (!(real.flags & ts.SymbolFlags.Value) || seen.has(real) || PART_OF[entry]?.(fileOf(real))) return [];
    seen.add(real);
    const type = checker.getTypeOfSymbolAtLocation(real, source);
    if (real.flags & ts.SymbolFlags.Class) return this.#readClass(entry, symbol.name, real, type, source);
    return [...this.#readFunction(entry, '', symbol.name, type, source), ...this.#readMembers(entry, symbol.name, type, source)];
  }

  /** @param {string} entry @param {string} owner the object that has it, or '' @param {string} name @param {ts.Type} type @param {ts.SourceFile} source @returns {Target[]} */
  #readFunction(entry, owner, name, type, source) {
    return type.getCallSignatures().slice(0, 1).map((signature) => ({ id: `${prefixOf(entry)}${owner && `${owner}.`}${name}`, entry, owner, name,
      kind: /** @type {const} */ ('function'), parameters: this.#parametersOf(signature, source) }));
  }

  /** Functions of an object, and static ones of a class. @param {string} entry @param {string} owner @param {ts.Type} type @param {ts.SourceFile} source */
  #readMembers(entry, owner, type, source) {
    return this.checker.getPropertiesOfType(type).filter((member) => fileOf(member) !== '' && member.name !== 'prototype')
      .flatMap((member) => this.#readFunction(entry, owner, member.name, this.checker.getTypeOfSymbolAtLocation(member, source), source));
  }

  /** @param {string} entry @param {string} owner @param {ts.Symbol} symbol @param {ts.Type} type @param {ts.SourceFile} source @returns {Target[]} */
  #readClass(entry, owner, symbol, type, source) {
    const { checker } = this;
    this.classes.add(`${prefixOf(entry)}${owner}`);
    /** @type {Target[]} */
    const targets = this.#readMembers(entry, owner, type, source);
    const add = (/** @type {Target['kind']} */ kind, /** @type {string} */ name, /** @type {string} */ label, /** @type {Target['parameters']} */ parameters) => {
      targets.push({ id: `${prefixOf(entry)}${label}`, entry, owner, name, kind, parameters });
    };
    const [made] = type.getConstructSignatures();
    const isProtected = made?.declaration && ts.getCombinedModifierFlags(/** @type {any} */ (made.declaration)) & ts.ModifierFlags.Protected;
    if (made?.declaration && !isProtected) add('constructor', owner, `new ${owner}`, this.#parametersOf(made, source));
    for (const member of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))) {
      const declarations = member.declarations ?? [];
      if (/^__[@#]/.test(member.name) || declarations.every((one) => !one.getSourceFile().fileName.includes('/dist/types/'))) continue;
      const memberType = checker.getTypeOfSymbolAtLocation(member, source);
      const [call] = memberType.getCallSignatures();
      if (call && member.flags & ts.SymbolFlags.Method) add('method', member.name, `${owner}.${member.name}`, this.#parametersOf(call, source));
      else if (member.flags & ts.SymbolFlags.Accessor) add('getter', member.name, `${owner}.${member.name}`, []);
      const setter = declarations.find(ts.isSetAccessorDeclaration);
      if (setter) add('setter', member.name, `${owner}.${member.name} =`, [{ name: setter.parameters[0].name.getText(), type: this.describe(memberType, setter.parameters[0].type, 0) }]);
    }
    return targets;
  }

  /** @param {ts.Signature} signature @param {ts.SourceFile} source */
  #parametersOf(signature, source) {
    return signature.getParameters().map((parameter) => {
      const declaration = /** @type {ts.ParameterDeclaration | undefined} */ (parameter.valueDeclaration);
      return { name: parameter.name, type: this.describe(this.checker.getTypeOfSymbolAtLocation(parameter, source), declaration?.type, 0) };
    });
  }

  /** @param {ts.Type} type @param {ts.TypeNode | undefined} node as it was declared @param {number} depth @returns {Type} */
  describe(type, node, depth) {
    const name = nameOf(node) ?? type.aliasSymbol?.name ?? type.symbol?.name;
    const ofEntry = `${this.entry.replace('/three', '')}/${name}`;
    if (name && this.named.has(ofEntry)) return { kind: 'named', name: ofEntry };
    const isClass = type.symbol && (type.symbol.flags & ts.SymbolFlags.Class) !== 0;
    if (name && this.named.has(name) && !isClass) return { kind: 'named', name };
    if (isClass && fileOf(type.symbol).startsWith('recast-navigation/')) return { kind: 'class', name: `recast-navigation/${type.symbol.name}` };
    if (isClass && name && this.named.has(name)) return { kind: 'named', name };
    const { flags } = type;
    if (flags & ts.TypeFlags.NumberLike && !type.isNumberLiteral()) return { kind: 'number' };
    if (flags & ts.TypeFlags.String) return { kind: 'string' };
    if (flags & ts.TypeFlags.Boolean) return { kind: 'boolean' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { kind: 'boolean' };
    if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return { kind: 'undefined' };
    if (flags & ts.TypeFlags.Null) return { kind: 'null' };
    if (type.isUnion()) return { kind: 'union', of: type.types.map((one) => this.describe(one, undefined, depth)), name };
    if (depth > MOST_DEPTH) return { kind: 'any', name };
    return this.#describeObject(type, name, depth);
  }

  /** @param {ts.Type} type @param {string | undefined} name @param {number} depth @returns {Type} */
  #describeObject(type, name, depth) {
    const { checker } = this;
    const [call] = type.getCallSignatures();
    if (call) return { kind: 'function', returns: this.describe(call.getReturnType(), undefined, depth + 1), name };
    const isList = checker.isArrayType(type) || name === 'ArrayLike' || name === 'Iterable';
    const [item] = isList || checker.isTupleType(type) ? checker.getTypeArguments(/** @type {ts.TypeReference} */ (type)) : [];
    if (checker.isTupleType(type)) return { kind: 'tuple', of: checker.getTypeArguments(/** @type {any} */ (type)).map((one) => this.describe(one, undefined, depth + 1)) };
    if (isList && item) return { kind: 'array', of: this.describe(item, undefined, depth + 1) };
    if (type.symbol && type.symbol.flags & ts.SymbolFlags.Class) return { kind: 'class', name: type.symbol.name };
    /** @type {Record<string, Type>} */
    const fields = {};
    for (const property of checker.getPropertiesOfType(type)) {
      if (property.name.startsWith('__@')) continue;
      const declaration = /** @type {ts.PropertySignature | undefined} */ (property.valueDeclaration);
      const at = declaration ?? /** @type {ts.Node} */ (this.program.getSourceFiles()[0]);
      fields[property.name] = this.describe(checker.getTypeOfSymbolAtLocation(property, at), declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined, depth + 1);
    }
    return { kind: 'object', fields, name };
  }
}

/** @param {string} entry */
const prefixOf = (entry) => (entry === 'index' ? '' : `${entry}/`);
