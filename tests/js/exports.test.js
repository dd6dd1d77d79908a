// The C exports and their JavaScript callers agree: names, orders of fields, defaults.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'fflate';
import { CONFIG_FIELDS, STAGES, defaultConfig, load } from '../../js/index.js';
import { readConfig } from '../../js/input/config.js';
import { instantiate } from '../../js/loader.js';
import { STATUS_CODES } from '../../js/runtime/errors.js';
import { Session } from '../../js/runtime/session.js';
import { ROOT, makeGround } from './support.js';

/** The functions that Emscripten adds, and that the loader and the session call. */
const FROM_TOOLCHAIN = ['memory', '__indirect_function_table', '_initialize', 'stackSave', 'stackRestore', 'stackAlloc'];

const modules = ['walkmesh.wasm', 'walkmesh-scalar.wasm'].map((name) => {
  const bytes = readFileSync(join(ROOT, 'dist', name));
  return { name, bytes, module: new WebAssembly.Module(bytes) };
});

function readSources(folder, ending) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')).join('\n');
}

test('exports: every export is called from JavaScript, and every call is exported', () => {
  const called = new Set([...readSources('js', '.js').matchAll(/\bwasm\.([a-z]\w*)\(/g)].map(([, name]) => name));
  const declared = new Set([...readSources('wasm', '.c').matchAll(/^EXPORT\((\w+)\)/gm)].map(([, name]) => name));
  for (const { name, module } of modules) {
    const exported = WebAssembly.Module.exports(module).map((item) => item.name).filter((item) => !FROM_TOOLCHAIN.includes(item));
    assert.deepEqual(exported.sort(), [...declared].sort(), `${name}: exported and declared`);
  }
  const ours = [...called].filter((name) => !FROM_TOOLCHAIN.includes(name));
  assert.deepEqual(ours.sort(), [...declared].sort(), 'called and declared');
});

/** The text between a parenthesis and its closing one. @param {string} text @param {number} start behind the first */
function readParentheses(text, start) {
  let depth = 1, end = start;
  for (; depth > 0 && end < text.length; end++) depth += '([{'.includes(text[end]) ? 1 : ')]}'.includes(text[end]) ? -1 : 0;
  assert.equal(depth, 0, `parentheses that do not close: ${text.slice(start, start + 80)}`);
  return text.slice(start, end - 1);
}

/** Counts arguments, or parameters of C, by the commas outside parentheses. @param {string} list */
function countArguments(list) {
  const items = [''];
  let depth = 0;
  for (const letter of list) {
    depth += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0;
    if (letter === ',' && depth === 0) items.push('');
    else items[items.length - 1] += letter;
  }
  return items.filter((item) => item.trim() !== '' && item.trim() !== 'void').length;
}

const withoutComments = (text) => text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/ .*/g, '');

test('exports: every call passes as many arguments as the export has parameters', () => {
  const source = withoutComments(readSources('wasm', '.c'));
  const parameters = new Map([...source.matchAll(/^EXPORT\((\w+)\)[^(]*?\bexport_(\w+)\(/gm)].map((match) => {
    assert.equal(match[1], match[2], 'an export is called as its function is');
    return [match[1], countArguments(readParentheses(source, match.index + match[0].length))];
  }));
  const declared = [...source.matchAll(/^EXPORT\((\w+)\)/gm)].map(([, name]) => name);
  assert.deepEqual([...parameters.keys()].sort(), declared.sort());
  const script = withoutComments(readSources('js', '.js'));
  const calls = [...script.matchAll(/\bwasm\.([a-z]\w*)\(/g)].filter(([, name]) => parameters.has(name));
  assert.ok(calls.length > 150, `${calls.length} calls`);
  for (const call of calls) {
    const list = readParentheses(script, call.index + call[0].length);
    if (list.includes('...')) continue; // counted when it runs
    assert.equal(countArguments(list), parameters.get(call[1]), `wasm.${call[1]}(${list})`);
  }
  const wrong = 'wasm.a(b, [c, d], (e, f) => g)';
  assert.equal(countArguments(readParentheses(wrong, 7)), 3);
});

test('exports: the modules import nothing', () => {
  for (const { module } of modules) {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
  }
});

test('exports: memory starts at 2 MB or less', async () => {
  for (const simd of [true, false]) {
    const { wasm } = await instantiate({ simd });
    assert.ok(wasm.memory.buffer.byteLength <= 2 * 1024 * 1024, `${wasm.memory.buffer.byteLength}`);
  }
});

/**
 * Bytes after gzip, with half a percent of room: the packer's answer to a change of a few bytes can be 0.7 %. They are fflate's, which are 4 to 5 % more than zlib's: Node's zlib looks
 * for matches with other instructions on other processors, and its sizes of the same module are up to half a percent apart. clang makes one of two objects
 * of rasterize_stretches.c, with which walkmesh-core-scalar.wasm is 500 bytes apart.
 */
const LIMITS = {
  'walkmesh.wasm': 318_200, 'walkmesh-scalar.wasm': 355_100, 'walkmesh-game.wasm': 173_300, 'walkmesh-game-scalar.wasm': 183_100,
  'walkmesh-core.wasm': 83_200, 'walkmesh-core-scalar.wasm': 107_600,
};

test('exports: the modules are small enough to send', (context) => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    const bytes = readFileSync(join(ROOT, 'dist', name));
    const size = gzipSync(bytes, { level: 9 }).length;
    context.diagnostic(`${name}: ${bytes.length} bytes, gzip ${size}`);
    assert.ok(size < limit, `${name} has ${size} bytes, gzip`);
  }
});

test('exports: configuration fields have the same names, order and defaults as in C', async () => {
  const { wasm } = await instantiate({});
  const session = new Session(wasm);
  const bake = wasm.bake_create(session.handle) >>> 0;
  const names = [...readFileSync(join(ROOT, 'src/bake/config.c'), 'utf8').matchAll(/^ {4}\{"(\w+)", (?:REAL|INTEGER|SWITCH)/gm)];
  assert.deepEqual(names.map(([, name]) => name), CONFIG_FIELDS.map(({ name }) => name));
  assert.deepEqual(readConfig(session, bake), defaultConfig());
  wasm.bake_destroy(bake);
});

test('exports: enumerations have as many members, in the same order, as in C', () => {
  const countMembers = (path, name) => {
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
    const [, body] = new RegExp(`typedef enum ${name} \\{([^}]*)\\}`).exec(text);
    return body.split(',').map((member) => member.trim().split(/\s*=/)[0]).filter(Boolean);
  };
  const toCamel = (name) => name.toLowerCase().replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  const stages = countMembers('src/bake/bake.h', 'WmStage').map((name) => toCamel(name.replace('WM_STAGE_', '')));
  assert.deepEqual(stages.slice(0, STAGES.length), [...STAGES]);
  assert.deepEqual(stages.slice(STAGES.length), ['done', 'count']);
});

test('exports: statuses have the codes that C names them by', () => {
  const text = readFileSync(join(ROOT, 'src/base/status.c'), 'utf8');
  assert.deepEqual([...text.matchAll(/case WM_ERROR_\w+: return "([\w-]+)"/g)].map(([, name]) => name), STATUS_CODES);
});

test('exports: every stage runs in the order of its name', async () => {
  const baker = (await load()).createBaker(makeGround(), {});
  baker.beginTile();
  const seen = [];
  while (baker.nextStage !== 'done') seen.push(baker.step().stage);
  assert.deepEqual(seen, [...STAGES]);
  baker.free();
});
