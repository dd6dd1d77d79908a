/**
 * The cheapest way over points: on the outlines of all polygons, a point at each step, and straight lines between all points of a polygon
 * at its cost. It shares no code with the search; flat meshes only.
 */

/** @typedef {import('../../../js/index.js').NavMesh} NavMesh */

export class CheapestWay {
  /** @type {number[]} */ #x = [];
  /** @type {number[]} */ #z = [];
  /** @type {number[][]} polygons at each point */ #at = [];
  /** @type {{ ref: number, points: number[], cost: number }[]} */ #polygons = [];
  /** @type {Map<string, number>} */ #numbers = new Map();

  /** @param {NavMesh} navMesh @param {Record<number, number>} areaCosts @param {number} step world units */
  constructor(navMesh, areaCosts, step) {
    for (const { ref, vertices, area } of navMesh.polygons()) {
      const size = vertices.length / 3, points = new Set();
      for (let k = 0; k < size; k++) {
        const ends = [k, (k + 1) % size].map((i) => [vertices[3 * i], vertices[3 * i + 2]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        for (const point of divide(ends[0], ends[1], step)) points.add(this.#number(point));
      }
      for (const point of points) this.#at[point].push(this.#polygons.length);
      this.#polygons.push({ ref, points: [...points], cost: areaCosts[area] ?? 1 });
    }
  }

  /** @param {number[]} point */
  #number([x, z]) {
    const key = `${Math.round(x * 2000)},${Math.round(z * 2000)}`, known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#x.length);
    this.#at.push([]);
    this.#z.push(z);
    return this.#x.push(x) - 1;
  }

  /** The cost. @param {{ polygon: number, point: ArrayLike<number> }} from @param {{ polygon: number, point: ArrayLike<number> }} to */
  find(from, to) {
    const first = this.#polygons.find(({ ref }) => ref === from.polygon), last = this.#polygons.find(({ ref }) => ref === to.polygon);
    if (!first || !last) throw new Error('no polygon');
    const away = (/** @type {number} */ i, /** @type {ArrayLike<number>} */ point) => Math.hypot(this.#x[i] - point[0], this.#z[i] - point[2]);
    let best = first === last ? first.cost * Math.hypot(from.point[0] - to.point[0], from.point[2] - to.point[2]) : Infinity;
    const costs = new Float64Array(this.#x.length).fill(Infinity), isDone = new Uint8Array(this.#x.length), open = new Set(first.points);
    for (const i of first.points) costs[i] = first.cost * away(i, from.point);
    const ends = new Set(last.points);
    while (open.size > 0) {
      let next = -1;
      for (const i of open) if (next < 0 || costs[i] < costs[next]) next = i;
      if (costs[next] >= best) break;
      open.delete(next);
      isDone[next] = 1;
      if (ends.has(next)) best = Math.min(best, costs[next] + last.cost * away(next, to.point));
      for (const polygon of this.#at[next]) {
        const { points, cost } = this.#polygons[polygon];
        for (const i of points) {
          const sum = isDone[i] ? Infinity : costs[next] + cost * Math.hypot(this.#x[i] - this.#x[next], this.#z[i] - this.#z[next]);
          if (!(sum < costs[i])) continue;
          costs[i] = sum;
          open.add(i);
        }
      }
    }
    return best;
  }
}

/** Points of an edge: on borders of tiles, edges of neighbours overlap in part, so they lie at multiples of the step. @param {number[]} from @param {number[]} to @param {number} step */
function divide(from, to, step) {
  const points = [from, to], along = from[0] === to[0] ? 1 : 0;
  if (from[0] === to[0] || from[1] === to[1]) {
    for (let k = Math.ceil(from[along] / step); k * step < to[along]; k++) points.push(along ? [from[0], k * step] : [k * step, from[1]]);
    return points;
  }
  const parts = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / step);
  for (let k = 1; k < parts; k++) points.push([from[0] + ((to[0] - from[0]) * k) / parts, from[1] + ((to[1] - from[1]) * k) / parts]);
  return points;
}
