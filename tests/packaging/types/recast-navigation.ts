import { NavMeshQuery, QueryFilter, exportNavMesh, importNavMesh, init, type AddObstacleResult, type CylinderObstacle,
  type GenerateSoloNavMeshResult, type NavMesh, type ObstacleRef, type OffMeshConnectionParams, type RecastHeightfield,
  type SoloNavMeshGeneratorConfig, type SoloNavMeshGeneratorIntermediates, type TileCache, type TileCacheUpdateResult,
  type Vector2Tuple, type Vector3 } from 'walkmesh/recast-navigation';
import { generateSoloNavMesh, generateTiledNavMesh } from 'walkmesh/recast-navigation/generators';
import { getPositionsAndIndices, type NavMeshHelperParams } from 'walkmesh/recast-navigation/three';

await init();
const config: Partial<SoloNavMeshGeneratorConfig> = { cs: 0.2, ch: 0.2 };
const connections: OffMeshConnectionParams[] = [
  { startPosition: { x: 0, y: 0, z: 0 }, endPosition: { x: 1, y: 0, z: 0 }, radius: 1, bidirectional: true },
];
const result: GenerateSoloNavMeshResult = generateSoloNavMesh([0, 0, 0], [0, 0, 0], { ...config, offMeshConnections: connections });
if (!result.success) throw new Error(result.error);
const navMesh: NavMesh = result.navMesh;
const query = new NavMeshQuery(navMesh, { maxNodes: 2048 });
const filter = new QueryFilter();
filter.excludeFlags = 4;
const path: Vector3[] = query.computePath({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 1 }, { filter }).path;
const { point, polyRef }: { point: Vector3, polyRef: number } = query.findClosestPoint({ x: 0, y: 0, z: 0 });
const again: NavMesh = importNavMesh(exportNavMesh(navMesh)).navMesh;
const tiled = generateTiledNavMesh(...getPositionsAndIndices([]), { tileSize: 32 });
// @ts-expect-error: a mesh only where it is a success
const unchecked: NavMesh = tiled.navMesh;
const { report }: SoloNavMeshGeneratorIntermediates = result.intermediates;
function block(tileCache: TileCache): ObstacleRef | undefined {
  const added: AddObstacleResult<CylinderObstacle> = tileCache.addCylinderObstacle({ x: 0, y: 0, z: 0 }, 1, 2);
  const { upToDate }: TileCacheUpdateResult = tileCache.update(navMesh);
  return added.success && upToDate ? added.obstacle.ref : undefined;
}
const params: NavMeshHelperParams = {}, size: Vector2Tuple = [1, 2], heightfields: RecastHeightfield[] = [];
console.log(report, block, params, size, heightfields, path, point, polyRef, again, unchecked);
