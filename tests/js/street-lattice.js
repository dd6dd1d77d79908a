/**
 * Levels of streets on a lattice, and an oracle of the ways through them: it enumerates all walks that meet no junction twice, and
 * measures the shortest line through each by trying points on all mouths of streets. It shares no code with the library.
 */

/** Distance of junctions, and width of streets. */
export const SPACING = 8;
export const WIDTH = 3;
/** Width that the agent's radius leaves on each side; and places that are tried on each mouth. */
const MARGIN = 0.6;
const PLACES = 25;

/** @typedef {{ size: number, streets: Set<string>, next: number[][] }} Lattice streets: 'a b' with a < b */

/** @param {number} size @param {() => number} random @param {number} share of streets that exist @returns {Lattice} */
export function makeLattice(size, random, share) {
  const streets = new Set(), next = Array.from({ length: size * size }, () => /** @type {number[]} */ ([]));
  for (let a = 0; a < size * size; a++) {
    for (const b of [a % size + 1 < size ? a + 1 : -1, a + size < size * size ? a + size : -1]) {
      if (b < 0 || random() >= share) continue;
      streets.add(`${a} ${b}`);
      next[a].push(b);
      next[b].push(a);
    }
  }
  return { size, streets, next };
}

/** The middle of a junction. @param {Lattice} lattice @param {number} node */
export const middleOf = ({ size }, node) => [(node % size) * SPACING + WIDTH / 2, 0, Math.floor(node / size) * SPACING + WIDTH / 2];

/** The floor. @param {Lattice} lattice */
export function makeStreets(lattice) {
  const positions = /** @type {number[]} */ ([]), indices = /** @type {number[]} */ ([]);
  const add = (/** @type {number} */ x0, /** @type {number} */ z0, /** @type {number} */ x1, /** @type {number} */ z1) => {
    const n = positions.length / 3;
    positions.push(x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0);
    indices.push(n, n + 1, n + 2, n, n + 2, n + 3);
  };
  for (let a = 0; a < lattice.next.length; a++) {
    const [x, , z] = middleOf(lattice, a);
    add(x - WIDTH / 2, z - WIDTH / 2, x + WIDTH / 2, z + WIDTH / 2);
    if (lattice.streets.has(`${a} ${a + 1}`)) add(x + WIDTH / 2, z - WIDTH / 2, x + SPACING - WIDTH / 2, z + WIDTH / 2);
    if (lattice.streets.has(`${a} ${a + lattice.size}`)) add(x - WIDTH / 2, z + WIDTH / 2, x + WIDTH / 2, z + SPACING - WIDTH / 2);
  }
  return { positions, indices };
}

/** Places on a line between two points. @param {number[]} a @param {number[]} b */
const placesOn = (a, b) => Array.from({ length: PLACES }, (_, i) => [0, 1].map((k) => a[k] + ((b[k] - a[k]) * i) / (PLACES - 1)));

/** The two mouths of the street from one junction to the next. @param {Lattice} lattice @param {number} from @param {number} to */
function mouthsOf(lattice, from, to) {
  const [[x, , z], [u, , v]] = [middleOf(lattice, from), middleOf(lattice, to)];
  const dx = Math.sign(u - x), dz = Math.sign(v - z), half = WIDTH / 2 - MARGIN;
  return [[x + dx * WIDTH / 2, z + dz * WIDTH / 2], [u - dx * WIDTH / 2, v - dz * WIDTH / 2]]
    .map(([mx, mz]) => placesOn([mx - Math.abs(dz) * half, mz - Math.abs(dx) * half], [mx + Math.abs(dz) * half, mz + Math.abs(dx) * half]));
}

/** The length of the shortest line through a walk of junctions. @param {Lattice} lattice @param {number[]} walk */
export function measureWalk(lattice, walk) {
  const [first, last] = [walk[0], walk[walk.length - 1]].map((node) => middleOf(lattice, node));
  let places = [[first[0], first[2]]], lengths = [0];
  const rows = walk.slice(1).flatMap((node, i) => mouthsOf(lattice, walk[i], node));
  for (const row of [...rows, [[last[0], last[2]]]]) {
    const before = places, sums = lengths;
    lengths = row.map(([x, z]) => Math.min(...before.map(([u, v], i) => sums[i] + Math.hypot(x - u, z - v))));
    places = row;
  }
  return lengths[0];
}

/** All walks of at most `most` streets that meet no junction twice. @param {Lattice} lattice @param {number} from @param {number} to @param {number} most */
export function listWalks({ next }, from, to, most) {
  const walks = /** @type {number[][]} */ ([]), walk = [from];
  const visit = (/** @type {number} */ node) => {
    if (node === to) walks.push([...walk]);
    else if (walk.length <= most) {
      for (const other of next[node]) {
        if (walk.includes(other)) continue;
        walk.push(other);
        visit(other);
        walk.pop();
      }
    }
  };
  visit(from);
  return walks;
}

/** Streets between junctions, by breadth first. @param {Lattice} lattice @param {number} from */
export function countStreets({ next }, from) {
  const counts = next.map(() => Infinity), queue = [from];
  counts[from] = 0;
  for (const node of queue) {
    for (const other of next[node]) {
      if (counts[other] !== Infinity) continue;
      counts[other] = counts[node] + 1;
      queue.push(other);
    }
  }
  return counts;
}

/** The share of a walk's streets that another one lacks. @param {number[]} walk @param {number[]} other */
export function compareWalks(walk, other) {
  const streetsOf = (/** @type {number[]} */ nodes) => nodes.slice(1).map((node, i) => [nodes[i], node].sort((a, b) => a - b).join(' '));
  const shared = new Set(streetsOf(other)), own = streetsOf(walk);
  return own.filter((street) => !shared.has(street)).length / own.length;
}

/** The walk that a line follows. @param {Lattice} lattice @param {ArrayLike<number>} points */
export function walkOf(lattice, points) {
  const walk = /** @type {number[]} */ ([]);
  for (let i = 0; i + 5 < points.length; i += 3) {
    const steps = Math.max(1, Math.ceil(Math.hypot(points[i + 3] - points[i], points[i + 5] - points[i + 2]) / 0.05));
    for (let s = 0; s <= steps; s++) {
      const [x, z] = [0, 2].map((k) => points[i + k] + ((points[i + 3 + k] - points[i + k]) * s) / steps);
      const node = Math.round((z - WIDTH / 2) / SPACING) * lattice.size + Math.round((x - WIDTH / 2) / SPACING);
      const [u, , v] = middleOf(lattice, node);
      if (Math.abs(x - u) <= WIDTH / 2 && Math.abs(z - v) <= WIDTH / 2 && walk[walk.length - 1] !== node) walk.push(node);
    }
  }
  return walk;
}
