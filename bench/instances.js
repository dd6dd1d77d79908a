/**
 * Levels that come as many meshes: a three.js scene with 2,000 meshes that share 50 geometries, as its triangles. Both packages
 * read the same scene, in turns; recast-navigation with the helper of its package for three.js.
 */
import { getPositionsAndIndices } from '@recast-navigation/three';
import { BoxGeometry, Euler, Matrix4, Mesh, MeshBasicMaterial, Quaternion, Scene, SphereGeometry, Vector3 } from 'three';
import { geometryFromScene } from '../js/three/index.js';
import { makeRandom } from './crowd/random.js';
import { summarise } from './statistics.js';
import { ratioText, spreadText } from './tables.js';

const PREFABS = 50, INSTANCES = 2000, ROUNDS = 9;
const LEVEL_SIZE = 200;

/** @typedef {import('./statistics.js').Summary} Summary */
/** @typedef {{ prefabs: number, instances: number, triangles: number, theirTriangles: number, ours: Summary, theirs: Summary }} InstanceFigures */

/** @param {() => number} random @param {number} number */
function makePrefab(random, number) {
  const pieces = 2 + Math.floor(random() * 12);
  return number % 2 === 0 ? new BoxGeometry(1, 1 + random() * 3, 1, 1, pieces, 1) : new SphereGeometry(0.5 + random(), 2 + pieces, 2 + pieces);
}

/** @param {number} prefabs @param {number} instances @returns {Scene} */
export function makeScene(prefabs, instances) {
  const random = makeRandom(1), scene = new Scene(), material = new MeshBasicMaterial();
  const geometries = Array.from({ length: prefabs }, (_, number) => makePrefab(random, number));
  for (let i = 0; i < instances; i++) {
    const mesh = new Mesh(geometries[i % prefabs], material);
    const place = new Vector3(random() * LEVEL_SIZE, random() * 5, random() * LEVEL_SIZE);
    const turn = new Quaternion().setFromEuler(new Euler(0, random() * 2 * Math.PI, 0));
    mesh.applyMatrix4(new Matrix4().compose(place, turn, new Vector3().setScalar(0.5 + random())));
    scene.add(mesh);
  }
  scene.updateMatrixWorld(true);
  return scene;
}

/** @param {() => unknown} run @returns {number} milliseconds */
function timeOf(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** @param {import('./bakes.js').BenchOptions} [options] @returns {Promise<InstanceFigures>} */
export async function measureInstances({ smallest = false, onProgress = () => {} } = {}) {
  onProgress('instances');
  const [prefabs, instances, rounds] = smallest ? [3, 6, 1] : [PREFABS, INSTANCES, ROUNDS];
  const scene = makeScene(prefabs, instances);
  const meshes = /** @type {Mesh[]} */ (scene.children);
  const read = () => geometryFromScene(scene), readTheirs = () => getPositionsAndIndices(meshes);
  const [triangles, theirTriangles] = [read().indices.length / 3, readTheirs()[1].length / 3];
  /** @type {[number[], number[]]} */
  const [ours, theirs] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(timeOf(read));
    theirs.push(timeOf(readTheirs));
  }
  onProgress('');
  return { prefabs, instances, triangles, theirTriangles, ours: summarise(ours), theirs: summarise(theirs) };
}

/** @param {InstanceFigures} figures @returns {import('./tables.js').Table} */
export function instanceTable({ prefabs, instances, triangles, ours, theirs }) {
  return { title: `Triangles of a scene: ${instances} meshes of ${prefabs} geometries, ${triangles} triangles`,
    rows: [['ms: median (quartiles)', 'walkmesh', 'recast-navigation', 'ratio'],
      ['scene to triangles', spreadText(ours), spreadText(theirs), ratioText(theirs.median / ours.median)]] };
}
