/** A small level, a camera and light, on which the pages of three.test.js draw. Runs in the page. */
import * as THREE from 'three';

/** A courtyard with a ramp to a terrace, a bridge, columns and crates, all generated from boxes. */
export function makeLevel() {
  const level = new THREE.Group();
  const stone = new THREE.MeshStandardMaterial({ color: 0xb9b2a6, roughness: 0.95 });
  const grass = new THREE.MeshStandardMaterial({ color: 0x93a17c, roughness: 1 });
  const wood = new THREE.MeshStandardMaterial({ color: 0xa57f5a, roughness: 0.9 });
  const water = new THREE.MeshStandardMaterial({ color: 0x5f88a8, roughness: 0.4 });
  // Where surfaces meet, the higher area wins.
  stone.userData.walkmesh = { area: 1 };
  water.userData.walkmesh = { area: 2 };
  grass.userData.walkmesh = { area: 5 };
  const box = (material, [x, y, z], [width, height, depth], turn = [0, 0, 0]) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(width, height, depth), material);
    mesh.position.set(x, y, z);
    mesh.rotation.set(...turn);
    level.add(mesh);
    return mesh;
  };
  box(stone, [0, -0.5, 0], [40, 1, 30]);
  box(grass, [-11, 0.02, -7], [14, 0.12, 11]);
  box(water, [3, 0.02, 9], [22, 0.1, 6]);
  box(stone, [13, 1.5, -8], [13, 3, 12]);
  box(stone, [3.2, 0.85, -8], [9.2, 0.5, 4], [0, 0, 0.36]);
  box(stone, [-14, 1.5, 10], [9, 3, 8]);
  box(wood, [-0.2, 3.05, 3.2], [24.6, 0.35, 2.4], [0, 0.56, 0]);
  box(stone, [11.5, 3.9, -12.6], [8, 1.8, 1]);
  const columns = new THREE.InstancedMesh(new THREE.CylinderGeometry(0.5, 0.6, 4, 14), stone, 8);
  const matrix = new THREE.Matrix4();
  for (let i = 0; i < 8; i++) columns.setMatrixAt(i, matrix.makeTranslation(-17 + 4.1 * (i % 4), 2, i < 4 ? -12.3 : -1.6));
  level.add(columns);
  for (const [x, z, turn, side] of [[6, 2, 0.4, 1.6], [7.8, 3, 1.1, 1.3], [16, 6, 0.2, 1.8], [-3, -11, 0.8, 1.7], [-6, 5, 0.3, 1.5]]) {
    box(wood, [x, side / 2, z], [side, side, side], [0, turn, 0]);
  }
  return level;
}

/** @param {{ width?: number, height?: number, from?: number[], to?: number[] }} [options] */
export function makeStage({ width = 1280, height = 800, from = [17, 29, 31], to = [0, 0, 1.2] } = {}) {
  document.body.style.margin = '0';
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(width, height);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x20262e);
  const camera = new THREE.PerspectiveCamera(40, width / height, 0.5, 200);
  camera.position.set(...from);
  camera.lookAt(...to);
  scene.add(new THREE.HemisphereLight(0xeaf2ff, 0x55504a, 1.6));
  const sun = new THREE.DirectionalLight(0xfff2dd, 2.2);
  sun.position.set(-14, 26, 9);
  scene.add(sun);
  return { renderer, scene, camera, draw: () => renderer.render(scene, camera) };
}
