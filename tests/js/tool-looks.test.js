// What the level tool draws, as data: steep ground without tops of walls, colours of regions, contours on the ground, distances across
// tiles, shades, links, rims, and the camera of a framed level.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Box3, BufferAttribute, BufferGeometry, PerspectiveCamera, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { load, readLinks, readTile } from '../../js/index.js';
import { parseObj } from '../../js/level/obj.js';
import { makeInterior } from '../../scripts/pictures/interior.js';
import { makeDepthBeside, rimsOf, widthOfDrop } from '../../web-demo/src/layers/drops-layer.js';
import { linesOfLinks } from '../../web-demo/src/layers/links-layer.js';
import { clearanceOf, groundOf } from '../../web-demo/src/stages/clearance.js';
import { makeFacingBaker, recordTileNow } from '../../web-demo/src/stages/record.js';
import { TINTS, neighboursOf, regionValue } from '../../web-demo/src/stages/region-tints.js';
import { SHADE_MIDDLE } from '../../web-demo/src/stages/relief.js';
import { CODES_OF, removalsOf } from '../../web-demo/src/stages/removal.js';
import { StageServer } from '../../web-demo/src/stages/server.js';
import { VIEWS } from '../../web-demo/src/stages/views.js';
import { Dots } from '../../web-demo/src/tools/query-drawing.js';
import { cornersOf, fitCamera, pointsOf } from '../../web-demo/src/view/framing.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load();

/** Records of all tiles. */
function recordsOf(level, config) {
  const baker = walkmesh.createBaker(level, config);
  const facing = makeFacingBaker(walkmesh, level, baker);
  const { tileCountX, tileCountZ } = baker.voxels;
  const records = Array.from({ length: tileCountX * tileCountZ }, (_, i) => recordTileNow(baker, i % tileCountX, Math.floor(i / tileCountX), facing));
  baker.free();
  facing?.free();
  return records;
}

/** A level of quads; each has four corners. */
function quads(...all) {
  const positions = Float32Array.from(all.flat(2));
  return { positions, indices: Uint32Array.from(all.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((k) => 4 * i + k))) };
}
const floor = (x, z, y, width, depth, farY = y) => [[x, y, z], [x, farY, z + depth], [x + width, farY, z + depth], [x + width, y, z]];

const countSteep = (records) => records.reduce((sum, record) => sum + VIEWS.steep(record, []).count, 0);

test('tool: tops of walls are too steep in Why not: only slopes are', () => {
  const interior = parseObj(new TextEncoder().encode(makeInterior()));
  const records = recordsOf(interior, { cellSize: 0.3, cellHeight: 0.2, tileSize: 64 });
  const steep = records.reduce((sum, record) => sum + removalsOf(record, []).filter((code) => code === CODES_OF.steep).length, 0);
  assert.ok(steep > 1000, `${steep} steep spans, of walls`);
  assert.ok(countSteep(records) < 0.05 * steep, `${countSteep(records)} of ${steep} are drawn`);
  // A slope of 60 degrees between two floors: all of it is drawn.
  const slope = quads(floor(0, 0, 0, 20, 6), floor(0, 6, 0, 20, 5, 8.66), floor(0, 11, 8.66, 20, 6));
  const [record] = recordsOf(slope, { cellSize: 0.3, cellHeight: 0.2, tileSize: 0 });
  const area = VIEWS.steep(record, []).count * 0.09;
  assert.ok(area > 80 && area < 115, `${area.toFixed(1)} m² of 100`);
});

test('tool: neighbouring regions have alike colours: they differ, within a tile and across tiles', () => {
  let neighbours = 0;
  for (const record of recordsOf(readScene('city'), { cellSize: 0.3, tileSize: 48 })) {
    const [least, most] = [1 + TINTS * (record.x + record.z & 1), TINTS * (1 + (record.x + record.z & 1))];
    for (const [region, others] of neighboursOf(record)) {
      const value = regionValue(record, region);
      assert.ok(value >= least && value <= most, `tile ${record.x} ${record.z}: ${value}`);
      for (const other of others) assert.notEqual(regionValue(record, other), value, `regions ${region} and ${other}`);
      neighbours += others.size;
    }
  }
  assert.ok(neighbours > 100, `${neighbours} neighbours`);
});

test('tool: contours of regions sink into slopes: they lie on the ground', () => {
  const records = recordsOf(readScene('terrain'), { cellSize: 0.3, tileSize: 64 }).slice(0, 6);
  let points = 0;
  for (const record of records) {
    const { lines } = VIEWS.contours(record, []);
    const { frame: { origin, cellSize, cellHeight, width, border }, open } = record;
    for (let i = 0; i < lines.length; i += 8) {
      for (let k = 1; k < 8; k++) {
        const [x, y, z] = [0, 1, 2].map((axis) => lines[i + axis] + (lines[i + 3 + axis] - lines[i + axis]) * k / 8);
        const cell = Math.floor((x - origin[0]) / cellSize + border) + width * Math.floor((z - origin[2]) / cellSize + border);
        if (open.first[cell + 1] !== open.first[cell] + 1) continue;
        points++;
        const above = (y - origin[1]) / cellHeight - open.floor[open.first[cell]];
        // The lines are lifted by 1.3 cell heights; the first and last cell of a line belongs to its corners.
        assert.ok(above > -4, `${above.toFixed(1)} cell heights at ${x.toFixed(1)}, ${z.toFixed(1)}`);
      }
    }
  }
  assert.ok(points > 1000, `${points} points`);
});

test('tool: Clearance knows a few cells only in tiles: it measures across them', async () => {
  const config = { cellSize: 0.3, tileSize: 32, agentRadius: 0.6, agentMaxClimb: 0.4 };
  const level = makeGround(29);
  const records = recordsOf(level, config);
  const side = Math.sqrt(records.length);
  const at = (x, z) => (x < 0 || z < 0 || x >= side || z >= side ? null : groundOf(records[x + side * z]));
  const [whole] = recordsOf(level, { ...config, tileSize: 0 });
  for (const record of records) {
    const around = Array.from({ length: 9 }, (_, i) => at(record.x + i % 3 - 1, record.z + Math.floor(i / 3) - 1));
    const distances = clearanceOf(around, record);
    const { width, border } = record.frame;
    for (let i = 0, next = 0; i < 32 * 32; i++) {
      const span = record.open.first[i % 32 + border + (Math.floor(i / 32) + border) * width];
      if (!record.open.marked[span]) continue;
      const [x, z] = [i % 32 + 32 * record.x, Math.floor(i / 32) + 32 * record.z];
      const inWhole = whole.open.first[x + z * whole.frame.width];
      if (whole.open.first[x + z * whole.frame.width + 1] === inWhole) continue;
      // Recast's own field of the whole level, in half cells, is blurred.
      const wanted = Math.min(40, whole.open.distance[inWhole]);
      assert.ok(Math.abs(distances[next] - wanted) <= 2, `cell ${x}, ${z}: ${distances[next]} instead of ${wanted}`);
      next++;
    }
  }
  // The server looks at the neighbours, also after a change of one of them.
  const answers = [];
  const server = new StageServer(walkmesh, (answer) => answers.push(answer), () => new Promise((done) => { setImmediate(done); }));
  server.receive({ kind: 'level', level });
  const ask = async (generation, volumes, known) => {
    server.receive({ kind: 'setup', generation, config, volumes });
    server.receive({ kind: 'tile', request: generation, generation, x: 1, z: 1, views: ['distance'], known });
    while (!answers.some(({ kind, request }) => kind === 'tile' && request === generation)) await new Promise((done) => { setImmediate(done); });
    return answers.find(({ kind, request }) => kind === 'tile' && request === generation);
  };
  const first = await ask(1, [], null);
  assert.equal(first.views.distance.max, 40, 'the middle is farther than 6 m from the edge');
  const same = await ask(2, [], first.hash);
  assert.equal(same.views, null);
  const changed = await ask(3, [{ kind: 'box', min: [5, -1, 12], max: [9, 1, 16], area: 0 }], first.hash);
  assert.ok(changed.views, 'a hole in the tile beside it changes distances');
});

test('tool: Voxels have no relief from far: flat ground has its colour, walls shade their foot, slopes differ by direction, roofs have rims', () => {
  const shades = (level) => {
    const { boxes } = VIEWS.solid(recordsOf(level, { cellSize: 0.3, cellHeight: 0.1, tileSize: 0 })[0], []);
    const found = new Set();
    for (let i = 0; i < boxes.length; i += 8) found.add(boxes[i + 7]);
    return [...found];
  };
  assert.deepEqual(shades(floor2(0)), [0]);
  const [up, down] = [shades(floor2(5)), shades(floor2(-5))];
  assert.ok(up.some((shade) => shade > 0 && shade < SHADE_MIDDLE) && down.some((shade) => shade > SHADE_MIDDLE), `${up} and ${down}`);
  const wall = quads(floor(0, 0, 0, 20, 20), [[0, 0, 10], [20, 0, 10], [20, 4, 10], [0, 4, 10]]);
  assert.ok(shades(wall).some((shade) => shade > SHADE_MIDDLE + 1), `${shades(wall)}`);
  const roof = shades(quads(floor(0, 0, 0, 20, 20), floor(6, 6, 4, 8, 8)));
  assert.ok(roof.includes(0) && roof.includes(SHADE_MIDDLE - 4) && roof.length === 2, `${roof}`);
});
/** A floor of 20 m whose far end is higher. */
const floor2 = (rise) => quads(floor(0, 0, Math.max(0, -rise), 20, 20, Math.max(0, rise)));

test('tool: Links is a net without a reading: a bar for each opening, wider between tiles', () => {
  const { navMesh } = walkmesh.bake(makeGround(29), { cellSize: 0.3, tileSize: 32, agentRadius: 0.6 });
  let [bars, crossing, ways, links] = [0, 0, 0, 0];
  for (const { ref } of navMesh.tiles()) {
    const all = readLinks(navMesh, ref);
    links += all.count;
    const lines = linesOfLinks(readTile(navMesh.tileBytes(ref)), ref, all);
    for (let i = 0; i < lines.length; i += 8) {
      if (lines[i + 7] < 0) ways++;
      else if (lines[i + 6] === 2) crossing++;
      else bars++;
    }
  }
  assert.equal(ways, links, 'a line from each polygon to each of its openings');
  assert.equal(bars + crossing, links / 2, 'a bar for each opening');
  assert.ok(crossing >= 12, `${crossing} openings between tiles`);
  navMesh.free();
});

test('tool: rims of drops look like small steps: the line is wider above a deeper drop, and there is none at walls', () => {
  const level = quads(floor(0, 0, 0, 10, 10), floor(10, 0, -1.5, 10, 10), floor(0, 10, -6, 20, 10), [[0, 0, 0], [0, 3, 0], [0, 3, 10], [0, 0, 10]]);
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(level.positions, 3)).setIndex([...level.indices]);
  const config = { cellSize: 0.3, agentRadius: 0.6, agentMaxClimb: 0.4 };
  const depthBeside = makeDepthBeside(new MeshBVH(geometry), config);
  const { navMesh } = walkmesh.bake(level, config);
  const widths = new Map();
  for (const { ref } of navMesh.tiles()) {
    const lines = rimsOf(readTile(navMesh.tileBytes(ref)), 1.2, depthBeside);
    for (let i = 0; i < lines.length; i += 8) {
      if (Math.abs(lines[i + 1]) > 0.5) continue; // of the lower floors
      const side = lines[i] > 8.5 && lines[i + 3] > 8.5 ? 'x' : lines[i + 2] > 8.5 && lines[i + 5] > 8.5 ? 'z' : 'others';
      widths.set(side, [...widths.get(side) ?? [], lines[i + 7]]);
    }
  }
  navMesh.free();
  const middle = (side) => (widths.get(side) ?? []).sort((a, b) => a - b)[(widths.get(side)?.length ?? 0) >> 1];
  assert.ok(Math.abs(middle('x') - widthOfDrop(1.5)) < 0.2 && Math.abs(middle('z') - widthOfDrop(6)) < 0.2, `${middle('x')} and ${middle('z')}`);
  assert.ok(middle('z') > 1.5 * middle('x'));
  assert.equal(widths.get('others'), undefined, 'no line at the wall and at the level’s end');
});

test('tool: opening a level wastes a third of the width: it fills the free part of the view', () => {
  const level = readScene('terrain');
  const bounds = new Box3().setFromArray(level.positions);
  const tangent = Math.tan(Math.PI / 8);
  for (const [aspect, covered] of [[1, 0.2], [1.6, 0], [0.5, 0]]) {
    const sides = { left: tangent * aspect * (1 - 2 * covered), right: tangent * aspect, top: tangent, bottom: tangent };
    for (const points of [cornersOf(bounds), pointsOf(level.positions, bounds)]) {
      const { position, target } = fitCamera(points, new Vector3(0.55, 0.8, 0.75).normalize(), new Vector3(0, 1, 0), sides);
      const camera = new PerspectiveCamera(45, aspect, 0.1, 1e4);
      camera.position.copy(position);
      camera.lookAt(target);
      camera.updateMatrixWorld();
      const seen = new Box3();
      for (let i = 0; i < points.length; i += 3) seen.expandByPoint(new Vector3().fromArray(points, i).project(camera));
      const { min, max } = seen;
      assert.ok(min.x > -1 + 2 * covered - 1e-6 && max.x < 1 + 1e-6 && min.y > -1 - 1e-6 && max.y < 1 + 1e-6, `all is seen: ${JSON.stringify(seen)}`);
      assert.ok(max.x - min.x > 1.999 - 2 * covered || max.y - min.y > 1.999, `it touches two sides: ${JSON.stringify(seen)}`);
    }
  }
});

test('dots are as large on screens with more pixels: three.js multiplies their size by the pixel ratio', (context) => {
  context.after(() => { delete (/** @type {any} */ (globalThis)).devicePixelRatio; });
  const sizes = [1, 3].map((ratio) => {
    /** @type {any} */ (globalThis).devicePixelRatio = ratio;
    return new Dots({ color: 0, size: 7 }).children.map((part) => /** @type {any} */ (part).material.size);
  });
  assert.deepEqual(sizes, [[7, 7], [7, 7]]);
});
