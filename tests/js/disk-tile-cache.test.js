// The cache of tiles on disk: js/node/disk-tile-cache.js, js/node/tile-pack.js.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { load } from '../../js/index.js';
import { DiskTileCache } from '../../js/node/index.js';
import { makeFolder } from './support.js';
import { buildTown, makeTown, townConfig } from './town.js';

const walkmesh = await load();
const KEYS = ['0', '1', '2', '3'].map((digit) => digit.repeat(31) + 'f');
const LEVEL = buildTown(makeTown({ side: 30 }));
const CONFIG = townConfig(30);
const PLAIN = walkmesh.bake(LEVEL, CONFIG);
const TILES = PLAIN.report.tiles.x * PLAIN.report.tiles.z;
const SAVED = PLAIN.navMesh.save();

/** Bakes with a cache, checks that the mesh equals that of a plain bake, and returns the report. */
async function bakeWith(cache) {
  const { navMesh, report } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache });
  assert.deepEqual(navMesh.save(), SAVED);
  assert.deepEqual(report.counts, PLAIN.report.counts);
  navMesh.free();
  return report;
}

/** Paths of the files in a folder with this ending. */
const listFiles = (folder, ending) => readdirSync(folder).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));

/** The only file with this ending. */
function onlyFile(folder, ending) {
  const [path, ...others] = listFiles(folder, ending);
  assert.deepEqual(others, []);
  return path;
}

/** A tile of any length that contains its key. */
const makeTile = (key, length) => Uint8Array.from({ length }, (_, i) => key.charCodeAt(i % 32) + i);

test('disk cache: kept for the next process, deleted, replaced, cleared', async (context) => {
  const folder = join(makeFolder(context), 'tiles', 'of', 'mine');
  const cache = new DiskTileCache(folder);
  assert.equal(await cache.get(KEYS[0]), undefined);
  await cache.set(KEYS[0], Uint8Array.of(1, 2, 3));
  await Promise.all([cache.set(KEYS[1], new Uint8Array(0)), cache.set(KEYS[2], Uint8Array.of(5))]);
  for (const each of [cache, new DiskTileCache(folder)]) {
    assert.deepEqual(await each.get(KEYS[0]), Uint8Array.of(1, 2, 3));
    assert.deepEqual(await each.get(KEYS[1]), new Uint8Array(0));
    (await each.get(KEYS[0])).fill(9);
    assert.deepEqual(await each.get(KEYS[0]), Uint8Array.of(1, 2, 3), 'what was given is a copy');
  }
  const given = Uint8Array.of(7, 8);
  const write = cache.set(KEYS[0], given);
  given.fill(0);
  assert.deepEqual(await cache.get(KEYS[0]), Uint8Array.of(7, 8), 'before it is written');
  await write;
  assert.deepEqual(await new DiskTileCache(folder).get(KEYS[0]), Uint8Array.of(7, 8));
  await cache.delete(KEYS[0]);
  await cache.delete(KEYS[0]);
  for (const each of [cache, new DiskTileCache(folder)]) assert.equal(await each.get(KEYS[0]), undefined);
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  await cache.clear();
  assert.deepEqual(readdirSync(folder), ['notes.txt']);
  assert.equal(await cache.get(KEYS[2]), undefined);
  await cache.set(KEYS[2], given);
  assert.deepEqual(await new DiskTileCache(folder).get(KEYS[2]), given);
});

test('disk cache: of a pack that was cut or altered anywhere, only the tiles that are damaged are missed', async (context) => {
  const folder = makeFolder(context);
  const lengths = [12, 5, 0, 33];
  const writer = new DiskTileCache(folder);
  await Promise.all(KEYS.map((key, i) => writer.set(key, makeTile(key, lengths[i]))));
  const paths = ['.tiles', '.index'].map((ending) => onlyFile(folder, ending));
  const whole = paths.map((path) => readFileSync(path));
  assert.equal(whole[0].length, 12 + 8 + 0 + 36);
  assert.equal(whole[1].length, 4 * 32);
  const check = async (what, least) => {
    const found = await Promise.all(KEYS.map((key) => new DiskTileCache(folder).get(key)));
    let count = 0;
    for (const [i, bytes] of found.entries()) {
      if (bytes) assert.deepEqual(bytes, makeTile(KEYS[i], lengths[i]), what);
      count += bytes !== undefined;
    }
    assert.ok(count >= least && count < 4, `${what}: ${count} found`);
  };
  for (const [file, path] of paths.entries()) {
    const restore = () => paths.forEach((each, i) => writeFileSync(each, whole[i]));
    for (let length = 0; length < whole[file].length; length++) {
      restore();
      truncateSync(path, length);
      await check(`${path} cut to ${length}`, file === 1 ? Math.floor(length / 32) : 0);
    }
    for (let i = 0; i < whole[file].length; i++) {
      restore();
      writeFileSync(path, whole[file].map((byte, k) => byte ^ (k === i ? 1 << i % 8 : 0)));
      await check(`${path} altered at ${i}`, 3);
    }
    restore();
  }
  // Half an entry more, as if a process was writing it, or was killed.
  appendFileSync(paths[1], new Uint8Array(20).fill(3));
  const found = await Promise.all(KEYS.map((key) => new DiskTileCache(folder).get(key)));
  assert.deepEqual(found, KEYS.map((key, i) => makeTile(key, lengths[i])));
});

test('disk cache: a damaged tile is deleted, and can be stored again', async (context) => {
  const folder = makeFolder(context);
  const cache = new DiskTileCache(folder);
  await Promise.all(KEYS.map((key) => cache.set(key, makeTile(key, 40))));
  const path = onlyFile(folder, '.tiles');
  const whole = readFileSync(path);
  writeFileSync(path, whole.map((byte, i) => byte ^ (i === 41)));
  const other = new DiskTileCache(folder);
  assert.equal(await other.get(KEYS[1]), undefined);
  writeFileSync(path, whole);
  assert.equal(await new DiskTileCache(folder).get(KEYS[1]), undefined, 'was deleted');
  await other.set(KEYS[1], makeTile(KEYS[1], 40));
  const after = new DiskTileCache(folder);
  for (const key of KEYS) assert.deepEqual(await after.get(key), makeTile(key, 40));
});

test('disk cache: bakes from damaged packs have the same result, and store what was missing', async (context) => {
  const folder = makeFolder(context);
  await bakeWith(new DiskTileCache(folder));
  assert.equal((await bakeWith(new DiskTileCache(folder))).tiles.cached, TILES);
  const path = onlyFile(folder, '.tiles');
  const whole = readFileSync(path);
  for (const damage of [() => truncateSync(path, whole.length >> 1), () => writeFileSync(path, whole.map((byte, i) => byte ^ (i % 7000 === 3))),
    () => rmSync(path), () => writeFileSync(onlyFile(folder, '.index'), new Uint8Array(1000).fill(1))]) {
    await new DiskTileCache(folder).clear();
    await bakeWith(new DiskTileCache(folder));
    const [tiles, index] = [onlyFile(folder, '.tiles'), onlyFile(folder, '.index')];
    writeFileSync(path, readFileSync(tiles));
    writeFileSync(path.replace('.tiles', '.index'), readFileSync(index));
    for (const each of [tiles, index]) rmSync(each);
    damage();
    const { tiles: { cached } } = await bakeWith(new DiskTileCache(folder));
    assert.ok(cached < TILES, `${cached} of ${TILES}`);
    assert.equal((await bakeWith(new DiskTileCache(folder))).tiles.cached, TILES, 'all that was missing was stored');
  }
});

test('disk cache: no more bytes than allowed, the least recently used go first, half-written files too', async (context) => {
  const folder = makeFolder(context);
  const cache = new DiskTileCache(folder, { maxBytes: 1000 });
  const indexOf = {};
  for (const [i, key] of KEYS.entries()) {
    await cache.set(key, new Uint8Array(200));
    const [path] = listFiles(folder, '.index').filter((each) => !Object.values(indexOf).includes(each));
    indexOf[key] = path;
    const at = new Date(Date.now() - 1000000 + 1000 * i);
    utimesSync(path, at, at);
  }
  const reader = new DiskTileCache(folder);
  assert.ok(await reader.get(KEYS[0])); // used now
  assert.ok(Date.now() - statSync(indexOf[KEYS[0]]).mtimeMs < 60000);
  const abandoned = join(folder, '0123456789abcdef.tiles');
  writeFileSync(abandoned, 'half');
  utimesSync(abandoned, 1, 1);
  await cache.set('4'.repeat(32), new Uint8Array(200));
  await cache.trim();
  assert.deepEqual(await Promise.all(KEYS.map(async (key) => (await new DiskTileCache(folder).get(key))?.length)), [200, undefined, 200, 200]);
  assert.equal(await cache.get(KEYS[1]), undefined);
  assert.ok(!readdirSync(folder).includes('0123456789abcdef.tiles'));
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes <= 1000, `${bytes}`);
});

test('disk cache: many small packs that were left behind become one', async (context) => {
  const folder = makeFolder(context);
  const keys = Array.from({ length: 40 }, (_, i) => i.toString(16).padStart(32, 'a'));
  for (const key of keys) await new DiskTileCache(folder).set(key, makeTile(key, 50));
  for (const path of listFiles(folder, '.index')) utimesSync(path, 1e9, 1e9);
  assert.equal(listFiles(folder, '.tiles').length, 40);
  const cache = new DiskTileCache(folder);
  assert.ok(await cache.get(keys[3]));
  await cache.trim();
  assert.equal(listFiles(folder, '.tiles').length, 2, 'all but the one that was used');
  for (const each of [cache, new DiskTileCache(folder)]) {
    for (const key of keys) assert.deepEqual(await each.get(key), makeTile(key, 50));
  }
});

test('disk cache: what another stores is seen, and what another deletes is a miss', async (context) => {
  const folder = makeFolder(context);
  const [first, second] = [new DiskTileCache(folder), new DiskTileCache(folder)];
  assert.equal(await second.get(KEYS[0]), undefined);
  await first.set(KEYS[0], makeTile(KEYS[0], 9));
  await new Promise((resolve) => { setTimeout(resolve, 150); });
  assert.deepEqual(await second.get(KEYS[0]), makeTile(KEYS[0], 9));
  await first.set(KEYS[1], makeTile(KEYS[1], 9));
  await second.clear();
  assert.equal(await new DiskTileCache(folder).get(KEYS[1]), undefined);
  await first.set(KEYS[2], makeTile(KEYS[2], 9));
  assert.deepEqual(await new DiskTileCache(folder).get(KEYS[2]), makeTile(KEYS[2], 9), 'its pack had gone: it began another');
});

test('disk cache: a folder that cannot be used is an error of the cache, and a warning of the bake', async (context) => {
  const folder = makeFolder(context);
  writeFileSync(join(folder, 'file'), '');
  const cache = new DiskTileCache(join(folder, 'file'));
  await assert.rejects(cache.set(KEYS[0], new Uint8Array(4)), { name: 'NavError', code: 'file' });
  await assert.rejects(cache.get(KEYS[0]), { name: 'NavError', code: 'file' });
  const { warnings } = await bakeWith(cache);
  assert.match(warnings.join('\n'), /the tile cache failed \(get: .*cannot be read/);
});

test('disk cache: bakes at the same time in one folder do not disturb each other', async (context) => {
  const folder = makeFolder(context);
  const reports = await Promise.all([1, 2, 3].map(() => bakeWith(new DiskTileCache(folder))));
  assert.deepEqual(reports.flatMap(({ warnings }) => warnings), []);
  assert.equal((await bakeWith(new DiskTileCache(folder))).tiles.cached, TILES);
});

test('disk cache: processes that write and read at once lose nothing and see nothing by halves', async (context) => {
  const folder = makeFolder(context);
  const run = promisify(execFile);
  const program = (process) => `
    import { DiskTileCache } from ${JSON.stringify(new URL('../../js/node/index.js', import.meta.url).href)};
    const cache = new DiskTileCache(${JSON.stringify(folder)});
    const keyOf = (process, i) => (1000 * process + i).toString(16).padStart(32, '0');
    const tileOf = (key) => new Uint8Array(100 + 13 * parseInt(key.slice(-3), 16) % 5000).fill(parseInt(key.slice(-2), 16));
    let seen = 0;
    for (let i = 0; i < 200; i++) {
      await cache.set(keyOf(${process}, i), tileOf(keyOf(${process}, i)));
      for (const each of [1, 2, 3]) {
        const key = keyOf(each, i);
        const found = await (i % 20 ? cache : new DiskTileCache(${JSON.stringify(folder)})).get(key);
        if (found && Buffer.compare(found, tileOf(key)) !== 0) throw new Error('wrong bytes of ' + key);
        seen += found !== undefined;
      }
    }
    console.log(seen);`;
  await Promise.all([1, 2, 3].map((each) => run(process.execPath, ['--input-type=module', '-e', program(each)])));
  const cache = new DiskTileCache(folder);
  for (let i = 0; i < 600; i++) {
    const key = (1000 * (1 + i % 3) + Math.floor(i / 3)).toString(16).padStart(32, '0');
    const bytes = await cache.get(key);
    assert.equal(bytes?.length, 100 + 13 * Number.parseInt(key.slice(-3), 16) % 5000, key);
  }
  assert.equal(listFiles(folder, '.tiles').length, 3);
});
