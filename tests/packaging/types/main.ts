import { Filter, load, NavError, type AgentHandle, type BakeReport, type Config, type Geometry, type LongPath, type NavMesh, type ObstacleHandle, type Path, type Point, type PolygonRef } from 'walkmesh';
import { load as loadInline } from 'walkmesh/inline';
import 'walkmesh/worker';

const walkmesh = await load({ simd: false, memoryLimit: 1e8 });
const config: Config = { cellSize: 0.2, partition: 'layers' };
const level: Geometry = { positions: new Float32Array(9), indices: new Uint16Array(3) };

const { navMesh, report }: { navMesh: NavMesh, report: BakeReport } = walkmesh.bake(level, config);
const path: Path = navMesh.findPath([0, 0, 0], { x: 1, y: 0, z: 1 }, { halfExtents: [1, 1, 1] });
const status: 'complete' | 'partial' | 'unreachable' = path.status;
const time: number = report.stages.rasterize + report.counts.polygons;
const bytes: Uint8Array = navMesh.save();
const polygon: number | undefined = navMesh.nearestPoint([0, 0, 0])?.polygon;
export const code: string = new NavError('limit', 'x').code;

const pool = walkmesh.createWorkerPool({ workers: 2, worker: new URL('./worker.js', import.meta.url) });
const tiled: NavMesh = (await walkmesh.bakeTiled(level, { ...config, tileSize: 64 }, {
  workers: pool, signal: new AbortController().signal, onProgress: ({ done, tiles }) => console.log(done / tiles),
})).navMesh;
const single: NavMesh = (await walkmesh.bakeAsync(level, config, { workers: 0 })).navMesh;

// A generator that was asked for is there, in strict code, too.
const linked: Config = { ...config, links: { jump: { maxDistance: 3 } } };
walkmesh.bake(level, linked, { keepLinkGenerator: true }).linkGenerator.explainLink([0, 0, 0], [1, 0, 1]);
(await walkmesh.bakeTiled(level, linked, { keepLinkGenerator: true })).linkGenerator.free();
(await walkmesh.bakeAsync(level, linked, { keepLinkGenerator: true, workers: 0 })).linkGenerator.free();
// @ts-expect-error: none was asked for
walkmesh.bake(level, linked).linkGenerator.free();
// @ts-expect-error: an option of another name
walkmesh.bake(level, linked, { keepGenerator: true });

const inline: typeof walkmesh = await loadInline();
using copy = inline.loadNavMesh(bytes);

const graph = navMesh.createTileGraph({ keepRemoved: true });
const long: LongPath = graph.findPath([0, 0, 0], [1, 0, 1], { legTiles: 2 });
const legLength: number | undefined = long.leg?.length;
const alone = walkmesh.loadTileGraph(graph.save());
// @ts-expect-error: there may be no leg
long.leg.length;
// @ts-expect-error: an option of another name
graph.findPath([0, 0, 0], [1, 0, 1], { legs: 2 });

// Handles and references have a kind, which only the type checker sees. Plain numbers are accepted.
const { navMesh: yard, dynamic } = walkmesh.bakeDynamic(level, config);
const crowd = yard.createCrowd();
const agent: AgentHandle = crowd.addAgent([0, 0, 0]);
const obstacle: ObstacleHandle = dynamic.addObstacle({ kind: 'box', min: [0, 0, 0], max: [1, 1, 1] });
const stored: { agent: number, guards: number[] } = JSON.parse(JSON.stringify({ agent, guards: [...crowd.agents] }));
crowd.state(stored.agent);
crowd.stop(stored.guards);
crowd.stop(crowd.agents.subarray(0, 1));
const corner: PolygonRef = navMesh.findPath([0, 0, 0], [1, 0, 1]).corridor[0]!;
navMesh.polygonArea(corner);
// @ts-expect-error: an obstacle is no agent
crowd.state(obstacle);
// @ts-expect-error: a polygon is no agent
crowd.state(corner);
// @ts-expect-error: an agent is no obstacle
dynamic.removeObstacle(agent);
// @ts-expect-error: nor is an element of an array of obstacles
crowd.state(dynamic.obstacles()[0]);
// Inputs may be read-only; arrays in the module's memory are.
const fixed: Geometry = { positions: [0, 0, 0] as const, indices: Object.freeze([0, 0, 0]) };
const copied: Float32Array = crowd.positions.slice();
const first: number = crowd.positions[0]! + crowd.states[0]!;
// @ts-expect-error: positions of a crowd are read-only
crowd.positions[0] = 1;
// @ts-expect-error: also as a whole
crowd.positions.fill(0);
// @ts-expect-error: a method of the package's inside
walkmesh.failAllocationsAfter(1);
// @ts-expect-error: a field of the package's inside
navMesh.session;
// @ts-expect-error: createFilter makes filters
new Filter();

// @ts-expect-error: a field that does not exist
walkmesh.bake(level, { celSize: 1 });
// @ts-expect-error: a point is three numbers
navMesh.findPath([0, 0, 0], 5);
// @ts-expect-error: three, not two
navMesh.nearestPoint([0, 0]);
// @ts-expect-error: nor four
navMesh.raycast(1, [0, 0, 0], [0, 0, 0, 1] as const);
// @ts-expect-error: also of agents
crowd.addAgent([0, 0]);
// A list whose length is unknown passes, so that `const spawn = [2, 0, 2]` is a point.
const spawn = [2, 0, 2];
const target: Point = Math.random() < 0.5 ? spawn : new Float64Array(3);
navMesh.findPath(spawn, target, { halfExtents: spawn });
navMesh.findPath(path.points.subarray(0, 3), [...spawn]);
const walk = (from: Point, to: { x: number, y: number, z: number }): number => navMesh.findPath(from, to).length;
// Points of type parameters, and `this`, pass on.
const step = <P extends Point, V extends { x: number, y: number, z: number }>(from: P, to: V): number => navMesh.findPath(from, to).length;
class Guard { x = 0; y = 0; z = 0; near(): boolean { return navMesh.nearestPoint(this) !== null; } }
// Options that may be undefined pass, too, with exactOptionalPropertyTypes.
const filter = Math.random() < 0.5 ? navMesh.createFilter({ excludeFlags: 2 }) : undefined;
navMesh.findSmoothPath(spawn, target, { filter, step: undefined, islands: undefined });
// @ts-expect-error: nothing is near
navMesh.nearestPoint([0, 0, 0]).polygon;
// @ts-expect-error: references are numbers
navMesh.polygonArea('1');
console.log(fixed, copied, first, status, time, polygon, tiled, single, copy, legLength, alone, walk, step, new Guard().near());
