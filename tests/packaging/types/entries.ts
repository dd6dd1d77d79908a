// The other entries, whose declarations import nothing that the package doesn't need to be typed.
import { load as loadCore, type Geometry } from 'walkmesh/core';
import { load as loadGame, Crowd, type LoadOptions } from 'walkmesh/game';
import { levelFacing, parseObj, readGltf, type GltfOptions, type GltfPart, type Level, type LevelBytes, type LevelFacing, type ObjOptions } from 'walkmesh/level';
import { DiskTileCache } from 'walkmesh/node';

const bytes: LevelBytes = new Uint8Array(4), options: ObjOptions = {};
const level: Level = parseObj(bytes, options);
const geometry: Geometry = { positions: [[0, 0, 0], { x: 0, y: 0, z: 1 }, [1, 0, 0]], upAxis: 'z' };
const facing: LevelFacing | null = levelFacing(level) ?? levelFacing(geometry);
const loadOptions: LoadOptions = { simd: true };
export const crowd: Crowd = (await loadGame(loadOptions)).loadNavMesh(bytes).createCrowd();
const isFloor = ({ node, ancestors }: GltfPart): boolean => node === 'floor' || ancestors.includes('floor');
const gltfOptions: GltfOptions = { filter: isFloor, area: (part, instance) => (instance === 0 ? 5 : part.material === 'mud' ? null : undefined), maxTriangles: 10, include: ['a*'] };
const other: Level = await readGltf(bytes, gltfOptions);
export const all = [facing, other, new DiskTileCache('folder'), (await loadCore()).bake(level).navMesh];
// @ts-expect-error: an option of another name
parseObj(bytes, { title: 'x' });
