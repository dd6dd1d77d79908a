// The layers of the level tool: each shows its data, with the correct area, seen from above.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Color } from 'three';
import { load, readTile } from '../../js/index.js';
import { regionColor } from '../../js/three/index.js';
import { GROUND, NOT_WALKABLE as GREY, REGION_TINTS, REMOVED } from '../../web-demo/src/layers/colors.js';
import { REMOVALS, removalsOf } from '../../web-demo/src/stages/removal.js';
import { makeFacingBaker, recordTileNow } from '../../web-demo/src/stages/record.js';
import { regionValue } from '../../web-demo/src/stages/region-tints.js';
import { VIEWS } from '../../web-demo/src/stages/views.js';
import { isWallTop } from '../../web-demo/src/stages/wall-tops.js';
import { Plan, areasByColor, colorDistance, lookFromAbove, settled, showOnly, takePicture } from './tool-from-above.js';
import { withTool } from './tool.js';

const walkmesh = await load();

/** The background of the light theme. */
const BACK = 0xe9edf0;

const VOLUME = { id: 1, shape: { kind: 'box', min: [30, -1, 20], max: [36, 2, 24] }, area: 0 };
const CONFIG = { tileSize: 48, minRegionSize: 10 };

/** The bake of the page's level, computed here. @type {Promise<any> | undefined} */
let baked;

/** @param {import('./tool.js').Tool} tool */
async function bakeHere(tool) {
  const { positions, indices, config } = await tool.read(
    '({ positions: [...app.levels.current.positions], indices: [...app.levels.current.indices], config: app.store.state.document.config })');
  const level = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
  const volumes = [{ ...VOLUME.shape, area: 0 }];
  const baker = walkmesh.createBaker({ ...level, volumes }, config);
  const { tileCountX, tileCountZ } = baker.voxels;
  const facing = makeFacingBaker(walkmesh, level, baker);
  const records = Array.from({ length: tileCountX * tileCountZ }, (_, tile) => recordTileNow(baker, tile % tileCountX, Math.floor(tile / tileCountX), facing));
  baker.free();
  facing?.free();
  return { level, volumes, config, records };
}

/** All cells of the tiles without their borders. */
function* cellsOf(records) {
  for (const record of records) {
    const { frame: { width, depth, border, origin, cellSize } } = record;
    for (let z = border; z < depth - border; z++) {
      for (let x = border; x < width - border; x++) {
        yield { record, cell: x + z * width, x: origin[0] + (x - border) * cellSize, z: origin[2] + (z - border) * cellSize, side: cellSize };
      }
    }
  }
}

/** A plan of the solid spans whose value isn't -1. */
function planOfSolid(records, valueOf) {
  const plan = new Plan();
  for (const { record, cell, x, z, side } of cellsOf(records)) {
    const { solid } = record;
    for (let i = solid.first[cell]; i < solid.first[cell + 1]; i++) {
      const value = valueOf(record, i, cell);
      if (value >= 0) plan.addSquare(x, z, side, solid.high[i], value);
    }
  }
  return plan;
}

/** A plan of the open spans. */
function planOfOpen(records, valueOf) {
  const plan = new Plan();
  for (const { record, cell, x, z, side } of cellsOf(records)) {
    const { open } = record;
    for (let i = open.first[cell]; i < open.first[cell + 1]; i++) plan.addSquare(x, z, side, open.floor[i], valueOf(record, i));
  }
  return plan;
}

/** Asserts that a picture shows each colour with its expected area, and no other colour. */
function assertAreas(name, { pixels }, wanted, tolerance = 0.03) {
  const seen = areasByColor(pixels, [BACK, ...wanted.keys()]);
  const total = [...wanted.values()].reduce((sum, area) => sum + area, 0);
  assert.ok(total > 0, `${name}: there should be something to see`);
  let wrong = 0;
  for (const [color, area] of wanted) wrong += Math.abs(area - seen.get(color));
  const text = [...wanted].map(([color, area]) => `${color.toString(16)} ${seen.get(color).toFixed(1)} of ${area.toFixed(1)}`).join(', ');
  assert.ok(wrong < tolerance * total + 1, `${name}: ${wrong.toFixed(1)} m² of ${total.toFixed(1)} differ: ${text}`);
}

/** Square metres that aren't background. */
const drawnArea = ({ pixels }) => pixels.reduce((sum, pixel) => sum + (colorDistance(pixel, BACK) > 8 ? 1 : 0), 0) / 100;

const near = (name, a, b, share) => assert.ok(Math.abs(a - b) < share * b + 1, `${name}: ${a.toFixed(1)} where the data says ${b.toFixed(1)}`);

/** Waits for what the last bake added and removed, which is drawn over the layers, and dismisses it. */
async function dismissComparison(tool) {
  await tool.until('app.comparison.current');
  await tool.read('app.comparison.dismiss()');
}

/** Clicks a switch on its label, as users do. */
const clickSwitch = (page, label) => page.locator('wa-switch').filter({ hasText: new RegExp(`^\\s*${label}\\s*$`) }).click();

const OPTIONS = { view: { theme: 'light', picture: 'fine' }, config: CONFIG, document: { volumes: [VOLUME] }, size: { width: 1100, height: 640 }, scale: 1 };
/** Small, since a small picture is drawn faster. */
const SMALL = { ...OPTIONS, view: { theme: 'light', picture: 'fine', panels: { left: false, right: false } }, size: { width: 620, height: 560 } };

test('layers: voxels, what filters removed, and regions cover what the stages say', () => withTool(SMALL, async (page, tool) => {
  await lookFromAbove(page);
  baked ??= bakeHere(tool);
  const { records, volumes } = await baked;
  const obstacles = volumes;

  await showOnly(page, {});
  assert.ok(drawnArea(await takePicture(page)) === 0, 'nothing is drawn where no layer is shown');

  await showOnly(page, { solid: 1 });
  const solid = planOfSolid(records, (record, span) => (record.solid.lowHeight[span] ? GROUND : GREY));
  assertAreas('solid', await takePicture(page), solid.areas());

  await showOnly(page, { areas: 1 });
  const areas = planOfOpen(records, (record, span) => (record.open.marked[span] ? GROUND : GREY));
  assertAreas('areas', await takePicture(page), areas.areas());

  await showOnly(page, { heightfieldLayers: 1 });
  const layers = new Plan();
  for (const { frame: { width, border, origin, cellSize }, heightfieldLayers: { first, floor, layer } } of records) {
    for (let cell = 0; cell < first.length - 1; cell++) {
      const [x, z] = [cell % (width - 2 * border), Math.floor(cell / (width - 2 * border))];
      for (let i = first[cell]; i < first[cell + 1]; i++) {
        layers.addSquare(origin[0] + x * cellSize, origin[2] + z * cellSize, cellSize, floor[i], new Color(regionColor(layer[i])).getHex());
      }
    }
  }
  assert.ok(layers.areas().size >= 2, 'there are some heightfield layers');
  assertAreas('heightfieldLayers', await takePicture(page), layers.areas(), 0.05);
  assert.equal(await tool.read('app.layers.get("heightfieldLayers").count'), records.reduce((sum, record) => sum + record.heightfieldLayers.floor.length, 0));

  const seen = [];
  for (const reason of [...REMOVALS.slice(1), 'lowHanging']) {
    await showOnly(page, { [`removed-${reason}`]: 1 });
    const code = REMOVALS.indexOf(reason);
    const plan = planOfSolid(records, (record, span, cell) => {
      const codes = removalsOf(record, obstacles);
      const isMine = code > 0 ? codes[span] === code && !(reason === 'steep' && isWallTop(record, codes, cell, span)) : record.solid.rasterized[span] === 0 && record.solid.lowHanging[span] !== 0;
      return isMine ? REMOVED[reason] : -1;
    });
    const note = await tool.read(`app.layers.get('removed-${reason}').count`);
    assert.equal(note, records.reduce((sum, record) => sum + VIEWS[reason](record, obstacles).count, 0), reason);
    if (plan.area === 0) continue;
    seen.push(reason);
    assertAreas(reason, await takePicture(page), plan.areas(), 0.06);
  }
  for (const reason of ['steep', 'ledge', 'headroom', 'radius', 'volume', 'region']) assert.ok(seen.includes(reason), `the level has ${reason}`);

  await showOnly(page, { regions: 1 });
  const colorOf = (value) => (value === 0 ? GREY : REGION_TINTS[value - 1]);
  const regions = planOfOpen(records, (record, span) => {
    const region = record.open.regions[span];
    return colorOf(region < 0x8000 ? regionValue(record, region) : 0);
  });
  const picture = await takePicture(page);
  assertAreas('regions', picture, regions.areas(), 0.05);
  const counts = areasByColor(picture.pixels, [BACK, ...regions.areas().keys()]);
  const large = [...regions.areas()].filter(([, area]) => area > 2).map(([color]) => color);
  assert.ok(large.length > 8, `${large.length} colours can be seen`);
  assert.ok(large.every((color) => counts.get(color) > 1), 'each region has a colour');

  // Distances: spans far from the edge are lighter. The mean over the picture equals that of the data.
  await showOnly(page, { distance: 1 });
  const distance = await takePicture(page);
  assert.ok(Math.abs(drawnArea(distance) - areas.area) < 0.03 * areas.area);
  const brightest = records.flatMap((record) => Array.from(record.open.distance)).reduce((most, value) => Math.max(most, value), 0);
  assert.ok(brightest > 6);
  assert.equal(await tool.read('app.layers.get("distance").count'), records.reduce((sum, record) => sum + VIEWS.distance(record, []).count, 0));
}));

test('layers: outlines, polygons, portals, slopes and islands lie where the data says', () => withTool(SMALL, async (page, tool) => {
  await lookFromAbove(page);
  baked ??= bakeHere(tool);
  const { records, level, config } = await baked;
  const view = async (opacities) => {
    await showOnly(page, opacities);
    return takePicture(page);
  };
  const triangles = await tool.read('[...app.bakes.current.navMesh.triangles()]');
  const mesh = new Plan();
  for (let i = 0; i < triangles.length; i += 9) mesh.addTriangle(triangles.slice(i, i + 9), GROUND);

  // Walls and borders are lines on the surface; they extend beyond it by half their width.
  near('navMesh', drawnArea(await view({ navMesh: 1 })), mesh.area, 0.03);
  near('polygonMesh', drawnArea(await view({ polygonMesh: 1 })), mesh.area, 0.05);
  near('detailMesh', drawnArea(await view({ detailMesh: 1 })), mesh.area, 0.05);

  const tiles = (await tool.read(`((islands) => {
    const { navMesh } = app.bakes.current;
    const tiles = navMesh.tiles().map(({ ref, bytes, polygons }) => ({ bytes: [...bytes], islands: Array.from({ length: polygons }, (_, p) => islands.of(ref + p)) }));
    islands.free();
    return tiles;
  })(app.bakes.current.navMesh.islands())`)).map(({ bytes, islands }) => ({ tile: readTile(Uint8Array.from(bytes)), islands }));
  const cornersOf = ({ sizes, polygons, vertices }, p) => Array.from({ length: sizes[p] }, (_, k) => [...vertices.subarray(3 * polygons[6 * p + k], 3 * polygons[6 * p + k] + 3)]);
  const islandColor = (island) => new Color(regionColor(island)).getHex();
  const islands = new Plan();
  for (const { tile, islands: numbers } of tiles) {
    for (let p = 0; p < tile.groundCount; p++) {
      const corners = cornersOf(tile, p);
      for (let k = 2; k < corners.length; k++) islands.addTriangle([...corners[0], ...corners[k - 1], ...corners[k]], islandColor(numbers[p]));
    }
  }
  assert.ok(islands.areas().size >= 2, 'there are some islands');
  assertAreas('islands', await view({ islands: 1 }), islands.areas(), 0.06);

  for (const [id, name, width] of [['contours', 'vertices', 0.25], ['rawContours', 'rawVertices', 0.15]]) {
    // A pixel counts as drawn if a line touches it: lines appear up to a pixel wider than they are.
    const [thin, wide] = [new Plan(0.05), new Plan(0.05)];
    for (const record of records) {
      const { origin, cellSize } = record.frame;
      for (const contour of record.contours) {
        const at = (i) => [origin[0] + contour[name][i] * cellSize, contour[name][i + 1], origin[2] + contour[name][i + 2] * cellSize];
        for (let i = 0; i < contour[name].length; i += 4) {
          thin.addLine(at(i), at((i + 4) % contour[name].length), width, 1);
          wide.addLine(at(i), at((i + 4) % contour[name].length), width + 0.1, 1);
        }
      }
    }
    const lines = drawnArea(await view({ [id]: 1 }));
    assert.ok(lines > 0.9 * thin.area && lines < 1.1 * wide.area, `${id}: ${lines} m², not ${thin.area} to ${wide.area}`);
  }

  const portals = new Plan(0.05);
  let [boxes, edges] = [0, 0];
  for (const { tile } of tiles) {
    boxes += tile.nodeCount;
    for (let p = 0; p < tile.groundCount; p++) {
      const corners = cornersOf(tile, p);
      corners.forEach((corner, k) => {
        if (tile.neighbours[6 * p + k] < 0x8000) return;
        portals.addLine(corner, corners[(k + 1) % corners.length], 0.4, 1);
        edges++;
      });
    }
  }
  near('portals', drawnArea(await view({ portals: 1 })), portals.area, 0.3);
  assert.equal(await tool.read('app.layers.get("portals").count'), edges);
  for (const id of ['tiles', 'tree', 'links', 'tileGraph']) {
    const lines = drawnArea(await view({ [id]: 1 }));
    assert.ok(lines > 3 && lines < 0.8 * 1600, `${id}: ${lines} m²`);
    if (id === 'tiles' || id === 'tree') assert.equal(await tool.read(`app.layers.get("${id}").count`), id === 'tree' ? boxes : tiles.length, id);
  }

  const entrances = await tool.read('(() => { const graph = app.bakes.current.navMesh.createTileGraph(); const { points } = graph.steps(); graph.free(); return points.length / 3; })()');
  assert.equal(await tool.read('app.layers.get("tileGraph").note()'), `${entrances} entrances`);
  assert.ok(entrances > 4, `${entrances}`);

  // Slopes: flat triangles, and triangles between flat and the limit.
  const [flat, steep, other] = [0x2c7a4b, 0xe5484d, 0xa4bb49];
  const slopes = new Plan();
  const { positions, indices } = level;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3)]);
    const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const angle = Math.acos(normal[1] / Math.hypot(...normal)) * 180 / Math.PI;
    slopes.addTriangle([...a, ...b, ...c], angle > config.agentMaxSlope ? steep : angle < 5 ? flat : other);
  }
  const wanted = slopes.areas();
  const picture = await view({ slope: 1 });
  const found = areasByColor(picture.pixels, [BACK, flat, steep, other, 0xf4d03f, 0x8fbf4d]);
  near('what is level', found.get(flat), wanted.get(flat), 0.03);
  near('all of the level', drawnArea(picture), slopes.area, 0.02);
  near('what can be walked up', found.get(other) + found.get(0xf4d03f) + found.get(0x8fbf4d), wanted.get(other), 0.25);

  // The input is shaded, the wireframe darkens it.
  near('input', drawnArea(await view({ input: 1 })), slopes.area, 0.02);
  const sum = ({ pixels }) => pixels.reduce((total, pixel) => total + (pixel & 255), 0);
  const before = sum(await takePicture(page));
  await page.evaluate('window.walkmeshTool.store.setView({ wireframe: true })');
  await settled(page);
  assert.ok(sum(await takePicture(page)) < before - 5000, 'lines are drawn');
}));

test('layers: the panel switches them, fades them and cuts them; what is configured anew is drawn anew, and then nothing', () => withTool(OPTIONS, async (page, tool) => {
  await lookFromAbove(page);
  await showOnly(page, {});
  await page.getByRole('button', { name: 'More layers' }).click();
  await clickSwitch(page, 'Regions');
  await settled(page);
  const full = await takePicture(page);
  assert.ok(drawnArea(full) > 800);
  const opacity = page.getByLabel('Opacity of Regions');
  await opacity.focus();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal(await tool.read('app.layers.setting("regions").opacity'), 0.5);
  const faint = await takePicture(page);
  let [checked, wrong] = [0, 0];
  for (let i = 0; i < full.pixels.length; i += 997) {
    const mixed = [16, 8, 0].map((shift) => ((full.pixels[i] >> shift & 255) + (BACK >> shift & 255)) / 2).reduce((color, part) => color << 8 | Math.round(part), 0);
    checked++;
    if (colorDistance(faint.pixels[i], mixed) > 6) wrong++;
  }
  // Where storeys overlap both are visible.
  assert.ok(wrong < 0.08 * checked, `${wrong} of ${checked} pixels are not half as strong`);

  // The keyboard hides the layer; then a removal layer follows the configuration.
  await page.getByRole('switch', { name: 'Regions', exact: true }).press('Space');
  await settled(page);
  assert.equal(drawnArea(await takePicture(page)), 0);
  await showOnly(page, { 'removed-radius': 1 });
  const narrow = drawnArea(await takePicture(page));
  await page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.edit('radius', (/** @type {any} */ draft) => { draft.config.agentRadius = 1.2; }));
  await page.waitForFunction(() => /** @type {any} */ (window).walkmeshTool.bakes.current.config.agentRadius === 1.2);
  await dismissComparison(tool);
  await settled(page);
  const wide = drawnArea(await takePicture(page));
  assert.ok(wide > 1.5 * narrow, `${narrow} and ${wide} m²`);
  await page.evaluate(() => /** @type {any} */ (window).walkmeshTool.store.undo());
  await page.waitForFunction(() => /** @type {any} */ (window).walkmeshTool.bakes.current.config.agentRadius === 0.6);
  await settled(page);
  near('undone', drawnArea(await takePicture(page)), narrow, 0.001);

  // The clipping height cuts the mesh at the height of the data.
  await showOnly(page, { islands: 1 });
  const triangles = await tool.read('[...app.bakes.current.navMesh.triangles()]');
  await clickSwitch(page, 'Wireframe');
  assert.equal(await tool.read('app.store.state.view.wireframe'), true);
  await clickSwitch(page, 'Wireframe');
  await clickSwitch(page, 'Look inside');
  const slider = page.getByLabel('Clipping height');
  await slider.fill('1');
  await settled(page);
  const clip = await tool.read('app.store.state.view.clip');
  assert.ok(Math.abs(clip - 1) < 0.1);
  const plan = new Plan();
  for (let i = 0; i < triangles.length; i += 9) plan.addTriangle(triangles.slice(i, i + 9), 1, clip - 0.09);
  near('below the clipping height', drawnArea(await takePicture(page)), plan.area, 0.03);

  // No frame is drawn if nothing changed.
  await showOnly(page, { islands: 1, regions: 1, distance: 0.5 });
  await page.mouse.move(3, 3);
  await tool.still();
  await tool.assertStill();
}));
