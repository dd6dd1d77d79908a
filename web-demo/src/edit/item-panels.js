/** Parts of the edit tools' panels: shape choice, item lists, and fields of the selected item. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { choiceField, numberField, pointField } from '../ui/fields.js';
import { icon } from '../ui/icon.js';
import { AREA_LIMIT, areaOf, areasOf } from './areas.js';
import { LISTS, NOUNS, nameItem } from './items.js';
import { KINDS, MIN_SIZE, canTurn, describeShape, moveTo, positionOf, roundPoint, tidy, turn } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('./items.js').ItemKind} ItemKind */
/** @typedef {import('./items.js').Selection} Selection */
/** @typedef {import('./shapes.js').Point} Point */

/**
 * A row of toggle buttons: an arrow for selecting, and the shapes to place.
 * @param {{ label: string, options: { id: string, label: string, icon: string }[], value: string, choose: (id: string) => void }} options
 */
export function chooser({ label, options, value, choose }) {
  return html`
    <div class="chooser" role="group" aria-label=${label}>
      ${options.map(({ id, label: name, icon: picture }) => html`
        <button class="plain" aria-label=${name} title=${name} aria-pressed=${id === value} @click=${() => choose(id)}>${icon(picture)}</button>`)}
    </div>`;
}

/** The arrow and the shapes. @param {readonly import('./shapes.js').Kind[]} kinds */
export const shapeOptions = (kinds) => [
  { id: '', label: 'Select', icon: 'mouse-pointer-2' },
  ...kinds.map((kind) => ({ id: kind, label: KINDS[kind].label, icon: KINDS[kind].icon })),
];

/**
 * A field for the area of the ground. @param {State['document']} document
 * @param {{ label: string, value: number, blocked?: string, ground?: boolean, change: (area: number) => void }} options blocked: label of 0
 */
export function areaField(document, { label, value, blocked, ground = true, change }) {
  const areas = areasOf(document).filter(({ id }) => id !== 0);
  const known = [0, AREA_LIMIT].includes(value) || areas.some(({ id }) => id === value);
  return choiceField({
    label, value: String(value),
    options: [
      ...(blocked ? [{ value: '0', label: blocked }] : []),
      ...(ground ? [{ value: String(blocked ? AREA_LIMIT : 0), label: areaOf(areasOf(document), 0).name }] : []),
      ...areas.map(({ id, name }) => ({ value: String(id), label: name })),
      ...(known ? [] : [{ value: String(value), label: `Area ${value}` }]),
    ],
    change: (text) => change(Number(text)),
  });
}

/**
 * The field for the area of the next shape; none if a click places nothing. @param {import('./placing-tool.js').PlacingTool} tool @param {State} state
 * @param {string} blocked label of area 0
 */
export const placeAsField = (tool, { document }, blocked) => (tool.armed === '' ? nothing : areaField(document, {
  label: 'Place as', value: tool.area, blocked, change: (area) => {
    tool.area = area;
    tool.app.panels.refresh();
  },
}));

/**
 * The name of the selected item, and the field for its area.
 * @param {App} app @param {State} state @param {{ selection: Selection, item: any, blocked: string, step: string }} options blocked: label of area 0;
 *   step: of undo
 */
export const selectedArea = (app, { document }, { selection, item, blocked, step }) => html`
  <h3>${nameItem(selection.kind, item)}</h3>
  ${areaField(document, {
    label: 'Area type', value: item.area, blocked, change: (area) => app.edits.change(selection, step, (old) => ({ ...old, area })),
  })}`;

/**
 * Lists all items of a kind.
 * @param {App} app @param {State} state @param {ItemKind} kind
 * @param {(item: any) => unknown} [more] text after the name
 */
export function itemList(app, { document, session }, kind, more = (item) => (item.shape ? describeShape(item.shape) : '')) {
  const items = /** @type {any[]} */ (document[LISTS[kind]]);
  if (items.length === 0) return nothing;
  return html`
    <ul class="items" aria-label=${`${NOUNS[kind][0].toUpperCase()}${NOUNS[kind].slice(1)}s`}>
      ${repeat(items, ({ id }) => id, (item) => {
        const selection = { kind, id: item.id };
        const isSelected = [session.selection, ...session.alsoSelected ?? []].some((each) => each?.kind === kind && each.id === item.id);
        const error = session.edits?.errors[`${kind} ${item.id}`];
        return html`
          <li class=${isSelected ? 'selected' : ''}>
            <button class="name" aria-pressed=${isSelected} @click=${(/** @type {MouseEvent} */ event) => {
              if (event.ctrlKey || event.metaKey) app.edits.toggle(selection);
              else app.edits.select(isSelected ? null : selection);
            }}>
              <span>${nameItem(kind, item)}</span><span class="note">${error ? html`<span class="error" title=${error}>not added</span>` : more(item)}</span></button>
            <button class="plain" aria-label="Delete ${nameItem(kind, item)}" title="Delete" @click=${() => app.edits.remove(selection)}>${icon('trash-2')}</button>
          </li>`;
      })}
    </ul>`;
}

/** Grids for placed and dragged items, world units. */
const GRIDS = [0, 0.1, 0.25, 0.5, 1, 2];

/** The grid of placed and dragged items. @param {App} app @param {State} state */
export const snapField = (app, { view: { snap } }) => choiceField({
  label: 'Snap', value: String(snap), options: [...new Set([...GRIDS, snap])].map((grid) => ({ value: String(grid), label: grid > 0 ? `${grid} m` : 'Off' })),
  change: (value) => app.store.setView({ snap: Number(value) }),
});

/** The error of the selected item, if it is not in the mesh. @param {State} state @param {Selection} selection */
export function itemError({ session }, { kind, id }) {
  const error = session.edits?.errors[`${kind} ${id}`];
  return error ? html`<p class="error" role="alert">Can't add this to the mesh: ${error}.</p>` : nothing;
}

/** @param {App} app */
export const itemButtons = (app) => html`
  <div class="buttons">
    <wa-button size="s" appearance="outlined" @click=${() => app.edits.duplicate()}>${icon('copy', 'start')}Duplicate</wa-button>
    <wa-button size="s" appearance="outlined" @click=${() => app.edits.remove()}>${icon('trash-2', 'start')}Delete</wa-button>
  </div>`;

/** @param {number} radians */
const toDegrees = (radians) => Math.round(radians * 180 / Math.PI * 100) / 100;

/** Fields for position and sizes of a shape. @param {App} app @param {Selection} selection @param {any} shape */
export function shapeFields(app, selection, shape) {
  const { cellSize } = app.store.state.document.config;
  const noun = NOUNS[selection.kind];
  const set = (/** @type {string} */ label, /** @type {(shape: any) => any} */ change) => (
    app.edits.change(selection, `${label} ${noun}`, (item) => ({ ...item, shape: tidy(change(item.shape)) })));
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(shape: any, value: number) => any} */ change) => numberField({
    label, value, unit: 'm', min: MIN_SIZE, step: cellSize, change: (typed) => set('reshape', (old) => change(old, Math.max(MIN_SIZE, typed))),
  });
  const place = pointField({
    label: shape.kind === 'cylinder' || shape.kind === 'prism' ? 'Base centre' : 'Centre',
    value: roundPoint(positionOf(shape)), step: cellSize, change: (point) => set('move', (old) => moveTo(old, point)),
  });
  const turnField = shape.kind === 'rotatedBox' ? numberField({
    label: 'Rotation', value: toDegrees(shape.yaw), unit: '°', step: 5,
    change: (degrees) => set('rotate', (old) => ({ ...old, yaw: degrees * Math.PI / 180 })),
  }) : shape.kind !== 'capsule' && canTurn(shape) ? numberField({
    label: 'Rotate by', value: 0, unit: '°', step: 5, change: (degrees) => set('rotate', (old) => turn(old, degrees * Math.PI / 180)),
  }) : nothing;
  return html`${place}${sizeFields(shape, number, set)}${turnField}`;
}

/**
 * @param {any} shape @param {(label: string, value: number, change: (shape: any, value: number) => any) => unknown} number
 * @param {(label: string, change: (shape: any) => any) => void} set
 */
function sizeFields(shape, number, set) {
  const radius = () => number('Radius', shape.radius, (old, value) => ({ ...old, radius: value }));
  switch (shape.kind) {
    case 'cylinder': return html`${radius()}${number('Height', shape.height, (old, value) => ({ ...old, height: value }))}`;
    case 'sphere': return radius();
    case 'capsule': return html`
      ${pointField({ label: 'Start', value: shape.start, change: (start) => set('reshape', (old) => ({ ...old, start })) })}
      ${pointField({ label: 'End', value: shape.end, change: (end) => set('reshape', (old) => ({ ...old, end })) })}${radius()}`;
    case 'prism': return html`
      ${number('Height', shape.maxY - shape.minY, (old, value) => ({ ...old, maxY: old.minY + value }))}
      <p class="quiet">${shape.vertices.length / 3} corners. Drag corners to reshape.</p>`;
    case 'rotatedBox': return ['Width', 'Height', 'Depth'].map((label, axis) => number(label, 2 * shape.halfExtents[axis], (old, value) => ({
      ...old, halfExtents: old.halfExtents.map((/** @type {number} */ half, /** @type {number} */ i) => (i === axis ? value / 2 : half)),
    })));
    default: return ['Width', 'Height', 'Depth'].map((label, axis) => number(label, shape.max[axis] - shape.min[axis], (old, value) => {
      const middle = (old.min[axis] + old.max[axis]) / 2;
      const low = axis === 1 ? old.min[1] : middle - value / 2;
      const at = (/** @type {Point} */ corner, /** @type {number} */ to) => corner.map((entry, i) => (i === axis ? to : entry));
      return { ...old, min: at(old.min, low), max: at(old.max, low + value) };
    }));
  }
}

/**
 * Explains why obstacles can't change the mesh, with a button that helps.
 * @param {App} app @param {State} state @param {string} what such as "Obstacles"
 */
export function tilesNeeded(app, { document, session }, what) {
  const isSingle = document.config.tileSize === 0;
  if (!isSingle && (app.edits.live.canCarve || session.bake.state === 'running' || !app.bakes.current)) return nothing;
  return html`
    <wa-callout variant="warning" size="s">
      ${isSingle ? `${what} need tiles, and this mesh is a single tile.`
        : `${what} can't change this mesh: it was opened from a file.`}
      ${isSingle ? html`<wa-button size="s" appearance="outlined" @click=${() => {
        app.store.edit('bake in tiles', (draft) => { draft.config.tileSize = TILE_SIZE; });
        if (!app.store.state.view.autoBake) void app.bakes.bake();
      }}>Bake with tile size ${TILE_SIZE}</wa-button>` : nothing}
    </wa-callout>`;
}

/** Tile size that the button sets, cells. */
const TILE_SIZE = 48;

/** Summary of the last rebuild. @param {State} state */
export function updateNote({ session }) {
  const { milliseconds, tiles, waiting } = session.edits?.last ?? { milliseconds: 0, tiles: 0, waiting: 0 };
  if (tiles === 0) return html`<p class="quiet numbers" data-part="update">No tiles rebuilt yet.</p>`;
  const done = `Rebuilt ${tiles} ${tiles === 1 ? 'tile' : 'tiles'} in ${milliseconds.toFixed(1)} ms`;
  return html`<p class="quiet numbers" data-part="update">${done}${waiting ? `, ${waiting} pending` : ''}.</p>`;
}
