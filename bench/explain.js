/**
 * `node bench/explain.js [first seed] [count]`: explains levels with planted causes of other seeds than the tests use, also among dead ends of
 * other kinds, and prints how many are right, by cause and by shape.
 */
import { load } from '../js/index.js';
import { judge } from '../tests/js/explain-judge.js';
import { DECOY_SHAPE, KINDS, SHAPES, plantCause } from '../tests/js/explained-levels.js';

const [first = 1000, count = 12] = process.argv.slice(2).map(Number);
const walkmesh = await load();
let [right, all] = [0, 0];
for (const shape of [...SHAPES, DECOY_SHAPE]) {
  for (const kind of KINDS) {
    const start = performance.now();
    const wrong = Array.from({ length: count }, (_, i) => ({ seed: first + i, problem: judge(walkmesh, plantCause(kind, first + i, shape)) })).filter(({ problem }) => problem !== null);
    right += count - wrong.length;
    all += count;
    console.log(`${shape} ${kind}: ${count - wrong.length} of ${count} right, ${((performance.now() - start) / count).toFixed(0)} ms each`);
    for (const { seed, problem } of wrong) console.log(`  seed ${seed}: ${problem}`);
  }
}
console.log(`${right} of ${all} right`);
