/**
 * Walkmesh without a page: in a server, a build step or a test. In the repository: node web-demo/examples/headless.mjs
 * Bakes a level, saves it, loads it as a game server would, and queries it.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random, load } from 'walkmesh';

// A level: two islands of ground with a wall on the first. Triangles counter-clockwise seen from above, y up, in metres.
const quad = (x0, z0, x1, z1) => [x0, 0, z0, x0, 0, z1, x1, 0, z1, x1, 0, z0];
const positions = [...quad(0, 0, 30, 20), ...quad(34, 0, 50, 20)];
const indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
const solids = [{ kind: 'box', centre: [15, 1, 8], halfAxes: [0.5, 0, 0, 0, 1, 0, 0, 0, 8], area: 0 }];

// Bake, with a connection over the gap between the islands.
const walkmesh = await load();
const { navMesh, report } = walkmesh.bake({
  positions, indices, solids,
  offMeshConnections: [{ start: [29, 0, 10], end: [35, 0, 10], radius: 1, bidirectional: false }],
}, { cellSize: 0.2, agentRadius: 0.4 });
console.log(`baked: ${report.counts.polygons} polygons, ${report.warnings.length} warnings`);

// Save to a file and load it: loading checks every byte.
const folder = await mkdtemp(join(tmpdir(), 'walkmesh-'));
const file = join(folder, 'islands.walkmesh');
await writeFile(file, navMesh.save());
navMesh.free();
const server = walkmesh.loadNavMesh(await readFile(file));
console.log(`read again: ${server.totals.polygons} polygons, hash ${walkmesh.hash(server.save())}`);
await rm(folder, { recursive: true });

// Paths: around the wall, over the jump, and an unreachable one, because the jump is one-way.
for (const [from, to] of [[[2, 0, 2], [28, 0, 2]], [[2, 0, 2], [48, 0, 18]], [[48, 0, 18], [2, 0, 2]]]) {
  const path = server.findPath(from, to, { anyAngle: true });
  const points = Array.from({ length: path.count }, (_, i) => `(${path.points[3 * i].toFixed(1)}, ${path.points[3 * i + 2].toFixed(1)})`);
  console.log(`(${from[0]}, ${from[2]}) to (${to[0]}, ${to[2]}): ${path.status}${path.reason ? `, ${path.reason}` : ''}, ${path.length.toFixed(1)} m`);
  console.log(`  ${points.join(' ')}`);
}

// The same on every machine: random points from a seed, and a crowd that walks for ten seconds.
const random = new Random(42);
const crowd = server.createCrowd();
for (let i = 0; i < 20; i++) crowd.addAgent(server.randomPoint({ random }).point, { radius: 0.4, maxSpeed: 3 });
crowd.setTarget(crowd.agents, [47, 0, 10]);
for (let step = 0; step < 600; step++) crowd.step(1 / 60);
const across = Array.from({ length: crowd.count }, (_, i) => crowd.positions[3 * i]).filter((x) => x > 34).length;
console.log(`after 10 s ${across} of ${crowd.count} agents are on the other island; hash ${crowd.hash()}`);
server.free(); // also frees the crowd
