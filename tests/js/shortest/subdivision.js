/**
 * A cheap way where areas cost differently: Dijkstra over points at equal steps on all openings, on x and z. No way that it finds costs less
 * than the best, and with many points few cost much more. Shares no code with the searches of the package.
 */
import { FlatMesh } from './flat-mesh.js';
import { Heap } from './heap.js';

const POINTS = 9;

/**
 * The cost of a way from a point to another.
 * @param {FlatMesh} mesh @param {number[]} costs of a world unit, by polygon @param {{ polygon: number, point: ArrayLike<number> }} start
 * @param {{ polygon: number, point: ArrayLike<number> }} end
 */
export function findCheapWay(mesh, costs, start, end) {
  const last = mesh.numbers.get(end.polygon), to = [end.point[0], end.point[2]];
  const reached = new Map(), open = new Heap();
  open.push(0, { polygon: mesh.numbers.get(start.polygon), at: [start.point[0], start.point[2]] });
  for (let next = open.pop(); next; next = open.pop()) {
    const { total, item: { polygon, at, key } } = next;
    if (polygon === -1) return total;
    if (key !== undefined && reached.get(key) < total) continue;
    const reach = (target, point, name) => {
      const cost = total + costs[polygon] * Math.hypot(point[0] - at[0], point[1] - at[1]);
      if (cost >= (reached.get(name) ?? Infinity)) return;
      reached.set(name, cost);
      open.push(cost, { polygon: target, at: point, key: name });
    };
    if (polygon === last) reach(-1, to, 'end');
    mesh.polygons[polygon].openings.forEach(({ to: target, left, right }, k) => {
      for (let i = 0; i < POINTS; i++) {
        const t = i / (POINTS - 1);
        reach(target, left.map((value, axis) => value + t * (right[axis] - value)), `${polygon}:${k}:${i}`);
      }
    });
  }
  return Infinity;
}
