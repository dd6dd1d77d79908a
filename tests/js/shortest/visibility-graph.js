/**
 * The true shortest length between two points of a mesh, on x and z: A* over the corners that see each other. Shares no code with the
 * searches of the package. What a corner sees is found when it is first expanded, and remembered.
 */
import { FlatMesh } from './flat-mesh.js';
import { Heap } from './heap.js';
import { look } from './sight.js';

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

export class VisibilityGraph {
  /** @param {import('../../../js/index.js').NavMesh} navMesh */
  constructor(navMesh) {
    this.mesh = new FlatMesh(navMesh);
    this.corners = this.mesh.places.filter(({ isCorner }) => isCorner).length;
    /** @type {(number[] | undefined)[]} by place */
    this.seen = [];
    this.stamps = new Uint32Array(this.mesh.places.length);
    this.stamp = 0;
  }

  /** The corners that a point sees, or with entries those that see it. @param {number[]} eye @param {number[]} own @param {'openings' | 'entries'} [way] */
  #cornersSeen(eye, own, way) {
    const found = [];
    this.stamp++;
    look(this.mesh, eye, own, (polygon, isSeen) => {
      const { spots, places } = this.mesh.polygons[polygon];
      spots.forEach((spot, i) => {
        const place = places[i];
        if (this.stamps[place] === this.stamp || !this.mesh.places[place].isCorner || !isSeen(spot)) return;
        this.stamps[place] = this.stamp;
        found.push(place);
      });
    }, way);
    return found;
  }

  #seenFrom(place) {
    const { at, own } = this.mesh.places[place];
    return this.seen[place] ??= this.#cornersSeen(at, own);
  }

  /** @param {number} from reference @param {ArrayLike<number>} start @param {number} to reference @param {ArrayLike<number>} end */
  measure(from, start, to, end) {
    const [a, b] = [[start[0], start[2]], [end[0], end[2]]];
    const [ownA, ownB] = [this.mesh.around(this.mesh.numbers.get(from), a), this.mesh.around(this.mesh.numbers.get(to), b, 'entries')];
    let isDirect = false;
    look(this.mesh, a, ownA, (polygon, isSeen) => {
      isDirect ||= ownB.includes(polygon) && isSeen(b);
    });
    return isDirect ? distance(a, b) : this.#search(a, ownA, b, new Set(this.#cornersSeen(b, ownB, 'entries')));
  }

  /** @param {number[]} a @param {number[]} own @param {number[]} b @param {Set<number>} last corners that see the end */
  #search(a, own, b, last) {
    const { places } = this.mesh;
    const costs = new Map(), closed = new Set(), open = new Heap();
    let best = Infinity;
    const reach = (place, cost) => {
      if (cost >= (costs.get(place) ?? Infinity)) return;
      const total = cost + distance(places[place].at, b);
      if (total >= best) return;
      costs.set(place, cost);
      if (last.has(place)) best = total;
      open.push(total, place);
    };
    for (const place of this.#cornersSeen(a, own)) reach(place, distance(a, places[place].at));
    for (let next = open.pop(); next && next.total < best; next = open.pop()) {
      const { item } = next;
      if (closed.has(item)) continue;
      closed.add(item);
      for (const place of this.#seenFrom(item)) {
        if (!closed.has(place)) reach(place, costs.get(item) + distance(places[item].at, places[place].at));
      }
    }
    return best;
  }
}
