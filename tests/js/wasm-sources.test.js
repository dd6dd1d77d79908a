// How wasm/build.js chooses source files by name and groups them for the compiler: wasm/sources.js.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findSources, groupForCompiler, listParts, readFrontEnd } from '../../wasm/sources.js';
import { makeFolder } from './support.js';

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

test('sources: the parts of a source are all files that it includes, beside it or in the folder of sources, each once', (context) => {
  const folder = makeFolder(context), at = (/** @type {string} */ path) => join(folder, path);
  mkdirSync(at('crowd'));
  writeFileSync(at('crowd/walls.c'), '// #include "old.h"\n#include "crowd/walls.h"\n#include <math.h>\n # include  "near.h"\nint x;\n');
  writeFileSync(at('crowd/walls.h'), '#include "mesh.h"\n');
  writeFileSync(at('crowd/near.h'), '#include "mesh.h"\n');
  writeFileSync(at('mesh.h'), '#include "crowd/walls.h"\n');
  assert.deepEqual([...listParts(at('crowd/walls.c'), folder)], ['crowd/walls.c', 'crowd/walls.h', 'mesh.h', 'crowd/near.h'].map(at));
});

test('sources: the command of the front end is read from the output of emcc, without the files', () => {
  const printed = ` "/usr/bin/clang" -target wasm32 -c a.c
Debian clang version 14.0.6
 "/usr/lib/clang" -cc1 -v -triple wasm32 -I "/a \\"b/src" -o empty.o -x c empty.c
clang -cc1 version 14.0.6 based upon LLVM 14.0.6
`;
  assert.deepEqual(readFrontEnd(printed), ['/usr/lib/clang', '-cc1', '-triple', 'wasm32', '-I', '/a "b/src']);
  assert.deepEqual(readFrontEnd(printed.replace(' -v ', ' "-v" ').replace('-cc1 ', '"-cc1" ')), readFrontEnd(printed));
  assert.equal(readFrontEnd('clang -cc1 version 14.0.6 -o\n'), undefined);
});
