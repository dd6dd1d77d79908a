/** Draws one of every helper on a small level. Runs in the page; returns the values that the test compares. */
import { load } from 'walkmesh';
import * as THREE from 'three';
import {
  AgentsHelper, ConnectionsHelper, ContoursHelper, LinksHelper, NavMeshHelper, PathHelper, VoxelsHelper, geometryFromScene,
} from 'walkmesh/three';
import { makeLevel, makeStage } from './stage.js';

const CONFIG = { cellSize: 0.25, cellHeight: 0.1, agentRadius: 0.4, agentHeight: 1.7, agentMaxClimb: 0.35 };
const CONNECTIONS = [
  { start: [9, 0.1, 2], end: [10.5, 3.1, -4], radius: 0.7, bidirectional: false },
  { start: [-3, 0.1, -5], end: [-14, 3.1, 8], radius: 0.8 },
];

/** The existing WebGL objects: created and not deleted. */
function countObjects(gl) {
  const counts = {};
  for (const kind of ['Buffer', 'VertexArray', 'Texture', 'Program', 'Shader']) {
    counts[kind] = 0;
    for (const [verb, step] of [['create', 1], ['delete', -1]]) {
      const call = gl[verb + kind].bind(gl);
      gl[verb + kind] = (object) => {
        if (verb === 'create' || object) counts[kind] += step;
        return call(object);
      };
    }
  }
  return counts;
}

export async function prepare(size) {
  const walkmesh = await load();
  const stage = makeStage(size);
  const objects = countObjects(stage.renderer.getContext());
  const level = makeLevel();
  stage.scene.add(level);
  const geometry = { ...geometryFromScene(level), offMeshConnections: CONNECTIONS };
  const { navMesh } = walkmesh.bake(geometry, { ...CONFIG, tileSize: 32 });
  const baker = walkmesh.createBaker(geometry, { ...CONFIG, cellSize: 0.6 });
  baker.beginTile(0, 0, { keepStages: true });
  while (baker.nextStage !== 'done') baker.step();
  const path = navMesh.findSmoothPath([13, 0, 12.4], [16, 3, -11], { halfExtents: [2, 4, 2], step: 0.4 });
  const feet = [-16, 0, -5, -8, 0, -9, 0, 0, 0, 12, 3, -6, -14, 3, 9];
  const makers = {
    NavMeshHelper: () => new NavMeshHelper(navMesh),
    LinksHelper: () => new LinksHelper(navMesh),
    ConnectionsHelper: () => new ConnectionsHelper(navMesh),
    ContoursHelper: () => {
      const helper = new ContoursHelper();
      helper.update(baker);
      return helper;
    },
    VoxelsHelper: () => {
      const helper = new VoxelsHelper();
      helper.update(baker, { view: 'regions' });
      return helper;
    },
    PathHelper: () => new PathHelper(path),
    AgentsHelper: () => {
      const helper = new AgentsHelper();
      helper.update(feet, { velocities: feet });
      return helper;
    },
  };
  return { ...stage, walkmesh, navMesh, baker, path, feet, level, makers, objects };
}

/** Number of pixels of the canvas that another drawing has changed. */
export function makeComparer({ renderer, draw }) {
  const gl = renderer.getContext();
  const read = () => {
    draw();
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return new Uint32Array(pixels.buffer);
  };
  const without = read();
  return () => {
    const now = read();
    let changed = 0;
    for (let i = 0; i < now.length; i++) if (now[i] !== without[i]) changed++;
    return changed;
  };
}

/** Draws every helper by itself, then changes, draws and disposes of all of them many times. */
export async function run(rounds) {
  const stage = await prepare({ width: 480, height: 300 });
  const { scene, draw, renderer, navMesh, makers, objects, path, feet, baker } = stage;
  renderer.domElement.remove(); // The canvas isn't visible: composing a page in software takes longer than all the rest.
  const snapshot = () => ({ ...objects, geometries: renderer.info.memory.geometries, textures: renderer.info.memory.textures });
  draw();
  const start = snapshot();
  const countChanged = makeComparer(stage);
  const changed = {};
  const kept = [];
  for (const [name, make] of Object.entries(makers)) {
    const helper = make();
    scene.add(helper);
    changed[name] = countChanged();
    helper.visible = false;
    kept.push(helper); // Programs stay alive, so that the rounds compile none.
  }
  const before = snapshot();
  renderer.setSize(48, 30); // From here on only objects matter, not pixels, which software draws slowly.
  const bytes = navMesh.tileBytes(navMesh.tileAt(0, 0));
  for (let round = 0; round < rounds; round++) {
    const helpers = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make()]));
    scene.add(...Object.values(helpers));
    draw();
    navMesh.removeTile(navMesh.tileAt(0, 0));
    const ladder = navMesh.addConnection({ start: [-3, 0, 5], end: [6, 0, -4], radius: 1 });
    const update = () => {
      for (const name of ['NavMeshHelper', 'LinksHelper', 'ConnectionsHelper']) helpers[name].update();
      helpers.PathHelper.update(path.points.slice(0, 3 * (1 + round % path.count)));
      helpers.AgentsHelper.update(new Float32Array(15 * (1 + round % 7)).map((_, i) => feet[i % 15]));
      helpers.VoxelsHelper.update(baker, { view: round % 2 ? 'areas' : 'distance' });
      helpers.ContoursHelper.update(baker, { raw: round % 2 === 0 });
      draw();
    };
    update();
    navMesh.removeConnection(ladder);
    navMesh.addTile(bytes);
    update();
    for (const helper of Object.values(helpers)) helper.dispose();
  }
  draw();
  const after = snapshot();
  for (const helper of kept) helper.dispose();
  draw();
  return { changed, start, before, after, end: snapshot(), error: renderer.getContext().getError() };
}
