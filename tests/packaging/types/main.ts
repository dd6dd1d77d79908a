import { load, NavError, type BakeReport, type Config, type Geometry, type NavMesh, type Path } from 'walkmesh';
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

const inline: typeof walkmesh = await loadInline();
using copy = inline.loadNavMesh(bytes);

// @ts-expect-error: a field that does not exist
walkmesh.bake(level, { celSize: 1 });
// @ts-expect-error: a point is three numbers
navMesh.findPath([0, 0, 0], 5);
// @ts-expect-error: nothing is near
navMesh.nearestPoint([0, 0, 0]).polygon;
// @ts-expect-error: references are numbers
navMesh.polygonArea('1');
console.log(status, time, polygon, tiled, single, copy);
