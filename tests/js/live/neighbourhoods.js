/**
 * Compares local neighbourhoods with recast-navigation. It has no call for them, but each agent of its crowd asks for one:
 * polygons within its collisionQueryRange, at most 16. They are read from the agent's boundary in its WebAssembly memory.
 */
import { MeshView } from './mesh-view.js';
import { pointOnSurface } from './query-scenes.js';
import { Random } from './random.js';

const MAX_POLYGONS = 16;
const AGENTS = 125;
const RANGES = [1, 2, 5, 10, 20];
/** Words of the boundary: its centre, 8 segments of 7 numbers, their count, the polygons, their count. */
const [POLYGONS_AT, COUNT_AT] = [3 + 8 * 7 + 1, 3 + 8 * 7 + 1 + MAX_POLYGONS];

/** @param {object} module of the peer @param {object} agent @returns {{ centre: number[], refs: number[] }} */
function readBoundary(module, agent) {
  const at = module.getPointer(agent.raw.boundary) / 4;
  const count = module.HEAPU32[at + COUNT_AT];
  return { centre: Array.from(module.HEAPF32.subarray(at, at + 3)), refs: Array.from(module.HEAPU32.subarray(at + POLYGONS_AT, at + POLYGONS_AT + count)) };
}

/**
 * @param {object} peer from loadPeer
 * @param {import('../../../js/index.js').NavMesh} navMesh
 * @param {{ seed: number, questions: number }} options
 * @returns {{ compared: number, cut: number, faults: string[] }} cut: results with as many polygons as Detour's agents store
 */
export function compareNeighbourhoods(peer, navMesh, { seed, questions }) {
  const { navMesh: theirs } = peer.importNavMesh(navMesh.exportDetour('set'));
  const view = new MeshView(theirs, navMesh);
  const crowd = new peer.Crowd(theirs, { maxAgents: AGENTS, maxAgentRadius: 0.6 });
  const random = new Random(seed);
  const triangles = navMesh.triangles();
  const tally = { compared: 0, cut: 0, faults: [] };
  while (tally.compared < questions) {
    const agents = Array.from({ length: AGENTS }, () => {
      const [x, y, z] = pointOnSurface(random, triangles);
      return crowd.addAgent({ x, y, z }, { radius: 0.3, collisionQueryRange: random.pick(RANGES) });
    });
    crowd.update(1 / 60);
    for (const agent of agents) {
      compareOne(peer, view, navMesh, agent, tally);
      crowd.removeAgent(agent);
    }
  }
  crowd.destroy();
  theirs.destroy();
  return tally;
}

function compareOne(peer, view, navMesh, agent, tally) {
  if (agent.state() !== 1) return; // not on the mesh
  const { centre, refs } = readBoundary(peer.Raw.Module, agent);
  const wanted = refs.map((ref) => view.byPeerRef.get(ref)?.ourRef);
  const { count, polygons } = navMesh.localNeighbourhood(wanted[0], centre, agent.collisionQueryRange, { maxPolygons: MAX_POLYGONS });
  const found = Array.from(polygons).slice(0, count);
  tally.compared++;
  tally.cut += refs.length === MAX_POLYGONS;
  if (found.join() !== wanted.join()) tally.faults.push(`${centre}, radius ${agent.collisionQueryRange}: ${found}, theirs ${wanted}`);
}
