// The golden queries: 500 seeded queries of nine kinds on each of five meshes, compared with Detour's results.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { QUERY_KINDS, runQueries } from '../../js/cli/query-results.js';
import { ROOT, loadBoth } from './support.js';

const OURS = join(ROOT, 'tests', 'golden', 'queries');
const SHARED = join(ROOT, '..', 'shared', 'golden', 'queries');
const QUESTION_COUNT = 500;

const hashes = JSON.parse(readFileSync(join(OURS, 'hashes.json'), 'utf8'));
const builds = await loadBoth();
/** Rows of the table. */
const rows = [];
/** Every result outside the tolerances, with the tie that explains it. */
const differences = [];

/** The fields of a result: u a word, r a reference, p a point, d a distance, n a normal; [...] repeats by the word before it. */
const FORMS = {
  findNearestPoly: ['u', 'r', 'p', 'u'],
  findPath: ['u', 'u', ['r']],
  findStraightPath: ['u', 'u', ['p', 'u', 'r']],
  raycast: ['u', 'd', 'n', 'u', ['r']],
  moveAlongSurface: ['u', 'p', 'u', ['r']],
  findDistanceToWall: ['u', 'd', 'p', 'n'],
  findPolysAroundCircle: ['u', 'u', ['r', 'r', 'd']],
  findLocalNeighbourhood: ['u', 'u', ['r', 'r']],
  getPolyHeight: ['u', 'd'],
};

/** Splits a file into results, each a list of [kind of field, value]. */
function parseAnswers(kind, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const word = () => view.getUint32((at += 4) - 4, true);
  const float = () => view.getFloat32((at += 4) - 4, true);
  const readFields = (form, fields) => {
    for (const field of form) {
      if (Array.isArray(field)) {
        const count = fields.at(-1)[1];
        for (let i = 0; i < count; i++) readFields(field, fields);
      } else if (field === 'p' || field === 'n') {
        fields.push([field, [float(), float(), float()]]);
      } else {
        fields.push([field, field === 'd' ? float() : word()]);
      }
    }
    return fields;
  };
  const answers = [];
  while (at < bytes.length) {
    const start = at;
    const fields = readFields(FORMS[kind], []);
    answers.push({ fields, bytes: bytes.subarray(start, at) });
  }
  assert.equal(at, bytes.length);
  return answers;
}

/** Points to 1e-4; distances and t to 1e-5, relative; all else equal. */
function isWithin([kind, ours], [, theirs]) {
  if (kind === 'p' || kind === 'n') return ours.every((value, axis) => Math.abs(value - theirs[axis]) <= 1e-4);
  if (kind === 'd') return Math.abs(ours - theirs) <= 1e-5 * Math.max(1e-3, Math.abs(theirs));
  return ours === theirs;
}

const valuesOf = (answer, wanted) => answer.fields.filter(([kind]) => kind === wanted).map(([, value]) => value);

/** The reason why a result may differ from the golden one, or undefined if none explains it. */
function explain(kind, ours, theirs, { navMesh, question }) {
  if (kind === 'findPath') {
    const lengths = [ours, theirs].map((answer) => pullThrough(navMesh, question, valuesOf(answer, 'r')));
    if (Math.abs(lengths[0] - lengths[1]) <= 1e-4 * lengths[1]) return `two corridors of one length (${lengths[0].toFixed(4)})`;
  }
  if (kind === 'findDistanceToWall' && isWithin(...[ours, theirs].map((answer) => ['d', valuesOf(answer, 'd')[0]]))) {
    return 'two walls equally near';
  }
  if (kind === 'findPolysAroundCircle') {
    const costs = [ours, theirs].map((answer) => valuesOf(answer, 'd'));
    if (costs[0].length === costs[1].length && costs[0].every((cost, i) => isWithin(['d', cost], ['d', costs[1][i]]))) {
      return 'polygons of one cost in another order';
    }
  }
  return undefined;
}

/** Length of the shortest line through a corridor of golden references. */
function pullThrough(navMesh, { from, to }, references) {
  const [tile] = navMesh.tiles();
  let salt = 1;
  while (salt < tile.polygons) salt *= 2;
  return navMesh.straighten(from, to, references.map((ref) => tile.ref + (ref & (salt - 1)))).length;
}

function readPoints(bytes, i) {
  const point = (word) => Float32Array.from({ length: 3 }, (_, axis) => bytes.readFloatLE(4 + 44 * i + 4 * (word + axis)));
  return { from: point(1), to: point(5) };
}

/** Compares one file, result by result; returns a row of the table. */
function compareFiles(scene, kind, ours, theirs, context) {
  const [answers, golden] = [ours, theirs].map((bytes) => parseAnswers(kind, bytes));
  assert.equal(answers.length, golden.length);
  const row = { scene, kind, queries: golden.length, equal: 0, within: 0, explained: 0, different: 0 };
  for (const [i, answer] of answers.entries()) {
    const expected = golden[i];
    if (Buffer.compare(answer.bytes, expected.bytes) === 0) {
      row.equal++;
    } else if (answer.fields.length === expected.fields.length
      && answer.fields.every((field, k) => isWithin(field, expected.fields[k]))) {
      row.within++;
    } else {
      const tie = explain(kind, answer, expected, { ...context, question: readPoints(context.questions, i) });
      row[tie ? 'explained' : 'different']++;
      differences.push(`${scene} ${kind} ${i}: ${tie ?? 'no tie explains it'}`);
    }
  }
  return row;
}

for (const [scene, arrays] of Object.entries(hashes)) {
  const folder = [join(SHARED, scene), join(OURS, scene)].find((path) => existsSync(join(path, 'tile.bin')));
  const missing = folder ? false : `no ${join(SHARED, scene)}`;
  test(`golden queries: ${scene}`, { skip: missing }, () => {
    const [tile, questions] = ['tile', 'queries'].map((name) => readFileSync(join(folder, `${name}.bin`)));
    for (const walkmesh of builds) {
      const navMesh = walkmesh.loadNavMesh(tile);
      const answers = runQueries(navMesh, questions);
      assert.deepEqual(Object.keys(answers), QUERY_KINDS);
      assert.deepEqual(Object.keys(arrays).filter((name) => name !== 'queries').sort(), [...QUERY_KINDS].sort());
      for (const kind of QUERY_KINDS) {
        const { bytes, fnv1a64 } = arrays[kind];
        const label = `${scene} ${kind}, ${walkmesh.simd ? 'SIMD' : 'scalar'}`;
        if (walkmesh.hash(answers[kind]) === fnv1a64) {
          rows.push({ scene, kind, queries: QUESTION_COUNT, equal: QUESTION_COUNT, within: 0, explained: 0, different: 0 });
          continue;
        }
        const golden = join(folder, `${kind}.bin`);
        assert.ok(existsSync(golden), `${label}: other bytes than the golden ones, which are not here to compare with`);
        const expected = readFileSync(golden);
        assert.equal(expected.length, bytes);
        const row = compareFiles(scene, kind, answers[kind], expected, { navMesh, questions });
        rows.push(row);
        assert.equal(row.queries, QUESTION_COUNT);
        assert.equal(row.different, 0, `${label}: ${differences.join('; ')}`);
        assert.ok(row.explained < 0.005 * row.queries, `${label}: ${row.explained} explained by ties`);
      }
      navMesh.free();
    }
  });
}

test('golden queries: a comparison finds what it is there to find', () => {
  const answer = new Uint8Array(Float32Array.of(0, 2.5).buffer);
  const near = new Uint8Array(Float32Array.of(0, 2.50001).buffer);
  const far = new Uint8Array(Float32Array.of(0, 2.6).buffer);
  const context = { questions: Buffer.alloc(48) };
  const before = differences.length;
  assert.equal(compareFiles('none', 'getPolyHeight', answer, answer, context).equal, 1);
  assert.equal(compareFiles('none', 'getPolyHeight', near, answer, context).within, 1);
  assert.equal(compareFiles('none', 'getPolyHeight', far, answer, context).different, 1);
  differences.length = before;
});

after(() => {
  const columns = ['scene', 'kind', 'queries', 'equal', 'within', 'explained', 'different'];
  const table = [['scene', 'kind', 'queries', 'equal bits', 'within tolerance', 'explained ties', 'different'],
    ...rows.map((row) => columns.map((column) => `${row[column]}`))];
  const widths = columns.map((_, i) => Math.max(...table.map((line) => line[i].length)));
  console.log('golden queries, each row once a build (SIMD, scalar):');
  for (const line of table) console.log(`  ${line.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}`);
  console.log(differences.length > 0 ? `differences:\n  ${differences.join('\n  ')}` : '  no difference beyond the tolerances');
});
