// How wasm/build.js chooses source files by name and groups them for the compiler: wasm/sources.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSources, groupForCompiler, readParts } from '../../wasm/sources.js';

const SOURCES = ['src/bake/tile/tile.c', 'src/bake/regions/watershed.c', 'src/crowd/local/walls.c', 'src/query/walls.c', 'wasm/heap.c'];

test('sources: a name finds its file in any folder, a folder tells files of one name apart', () => {
  assert.deepEqual(findSources('LIST', ['watershed', 'crowd/walls', 'tile/tile', 'heap'], SOURCES),
    [SOURCES[1], SOURCES[2], SOURCES[0], SOURCES[4]]);
});

test('sources: a name that matches no file or several stops the build', () => {
  assert.throws(() => findSources('LIST', ['watersheds'], SOURCES), /^Error: LIST: no source file matches "watersheds"/);
  assert.throws(() => findSources('LIST', ['shed'], SOURCES), /no source file matches "shed"/);
  assert.throws(() => findSources('LIST', ['mesh/walls'], SOURCES), /no source file matches "mesh\/walls"/);
  assert.throws(() => findSources('LIST', ['walls'], SOURCES),
    /LIST: "walls" matches src\/crowd\/local\/walls\.c and src\/query\/walls\.c\. Write folder\/name/);
});

test('sources: files with the same flags share a start of the compiler, files of the same name do not', () => {
  const files = SOURCES.map((source, i) => ({ source, flags: i === 1 ? ['-O2', '-g'] : ['-Oz'] }));
  const grouped = (/** @type {number} */ size) => groupForCompiler(files, size).map((group) => group.map(({ source }) => source));
  const [tile, watershed, crowdWalls, queryWalls, heap] = SOURCES;
  assert.deepEqual(grouped(40), [[tile, crowdWalls, heap], [watershed], [queryWalls]]);
  assert.deepEqual(grouped(2), [[tile, crowdWalls], [watershed], [queryWalls, heap]]);
  assert.deepEqual(groupForCompiler([], 0), []);
});

test('sources: the parts of an object are read from any list of the compiler, and no empty path among them', () => {
  const parts = ['/a b/walls.c', '/a b/walls.h', '/c/mesh.h'], [source, header, other] = parts.map((path) => path.replace(' ', '\\ '));
  assert.deepEqual(readParts(`walls.o: ${source} ${header} ${other}\n`), parts);
  assert.deepEqual(readParts(`walls.o: ${source} \\\n  ${header} ${other}\n`), parts);
  // Where the path is long, the compiler breaks the line before it.
  assert.deepEqual(readParts(`walls.o: \\\n  ${source} \\\n  ${header} \\\n  ${other}\n`), parts);
});
