/**
 * A closed interior, as games export theirs: rooms and corridors without walls of their own, seen from inside, with floors at several
 * heights, steps between them, pillars and a gallery. Triangles face into the rooms.
 */

/** Cells of the plan are 4 m wide; a letter is the height of a floor, '.' is rock. Lower case: a low ceiling. */
const PLAN = [
  '..............',
  '.AAAA...BBBB..',
  '.AAAAaabBBBB..',
  '.AAAA...BBBBb.',
  '..a.......b.b.',
  '..a..CCCC.b.b.',
  '.aaaaCCCCcc.c.',
  '.a...CCCC..cc.',
  '.aAA..c..AAA..',
  '..AAaaaaaAAA..',
  '..AA.....AAA..',
  '..............',
];
const SIDE = 4;
/** Floors, and heights of the rooms and of the corridors above them, metres. */
const FLOORS = { A: 0, B: 1.5, C: -1.5 };
const [ROOM, CORRIDOR] = [6, 3];
/** Risers of the steps between two floors, metres. */
const RISER = 0.25;

/** @param {string} letter */
const floorOf = (letter) => FLOORS[/** @type {'A'} */ (letter.toUpperCase())];
/** @param {string} letter */
const ceilingOf = (letter) => floorOf(letter) + (letter === letter.toUpperCase() ? ROOM : CORRIDOR);

/** The text of an OBJ file. */
export function makeInterior() {
  /** @type {string[]} */
  const [vertices, faces] = [[], []];
  const quad = (/** @type {number[][]} */ corners) => {
    const first = vertices.length + 1;
    vertices.push(...corners.map((corner) => `v ${corner.join(' ')}`));
    faces.push(`f ${first} ${first + 1} ${first + 2}`, `f ${first} ${first + 2} ${first + 3}`);
  };
  const flat = (/** @type {number} */ x, /** @type {number} */ z, /** @type {number} */ y, /** @type {boolean} */ isFloor, width = SIDE, depth = SIDE) => {
    const corners = [[x, y, z], [x, y, z + depth], [x + width, y, z + depth], [x + width, y, z]];
    quad(isFloor ? corners : corners.reverse());
  };
  /** A wall whose front lies on the left of the way from a to b. */
  const wall = (/** @type {number[]} */ [ax, az], /** @type {number[]} */ [bx, bz], /** @type {number} */ low, /** @type {number} */ high) => {
    if (high > low) quad([[bx, low, bz], [ax, low, az], [ax, high, az], [bx, high, bz]]);
  };
  const at = (/** @type {number} */ column, /** @type {number} */ row) => PLAN[row]?.[column] ?? '.';
  PLAN.forEach((line, row) => [...line].forEach((letter, column) => {
    if (letter === '.') return;
    const [x, z, floor, ceiling] = [column * SIDE, row * SIDE, floorOf(letter), ceilingOf(letter)];
    flat(x, z, floor, true);
    flat(x, z, ceiling, false);
    const corners = [[x, z], [x + SIDE, z], [x + SIDE, z + SIDE], [x, z + SIDE]];
    [[0, -1], [1, 0], [0, 1], [-1, 0]].forEach(([dx, dz], side) => {
      const other = at(column + dx, row + dz);
      const [a, b] = [corners[side], corners[(side + 1) % 4]];
      if (other === '.') wall(b, a, floor, ceiling);
      else {
        wall(b, a, floor, Math.min(floorOf(other), ceiling));
        wall(b, a, Math.max(ceilingOf(other), floor), ceiling);
        steps(a, b, [dx, dz], floor, floorOf(other));
      }
    });
  }));
  /** Boxes that lead up from the lower of two floors, against the side from a to b. */
  function steps(/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number[]} */ [dx, dz], /** @type {number} */ floor, /** @type {number} */ other) {
    const count = Math.round((other - floor) / RISER) - 1;
    for (let i = 1; i <= count; i++) {
      const depth = 0.5 * (count - i + 1);
      const [minX, maxX] = [Math.min(a[0], b[0]) - (dx > 0 ? depth : 0), Math.max(a[0], b[0]) + (dx < 0 ? depth : 0)];
      const [minZ, maxZ] = [Math.min(a[1], b[1]) - (dz > 0 ? depth : 0), Math.max(a[1], b[1]) + (dz < 0 ? depth : 0)];
      flat(minX, minZ, floor + i * RISER, true, maxX - minX, maxZ - minZ);
      const [low, high] = [floor + (i - 1) * RISER, floor + i * RISER];
      const front = [[[maxX, minZ], [maxX, maxZ]], [[maxX, maxZ], [minX, maxZ]], [[minX, maxZ], [minX, minZ]], [[minX, minZ], [maxX, minZ]]];
      const [from, to] = front[dx > 0 ? 2 : dx < 0 ? 0 : dz > 0 ? 3 : 1];
      wall(from, to, low, high);
    }
  }
  return `${vertices.join('\n')}\n${faces.join('\n')}\n`;
}
