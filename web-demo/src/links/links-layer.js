/** The layers of segment links: those of the mesh, and the places where there is none. */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Points } from 'three';
import { SegmentLinksHelper } from 'walkmesh/three';
import { CONNECTIONS, REFUSED_LINKS, SEGMENT_LINKS } from '../layers/colors.js';
import { drawAfterMesh, shiftDepth } from '../layers/depth-shift.js';
import { HelperLayer } from '../layers/helper-layer.js';
import { Dots, lifted, makeDotMaterial } from '../tools/query-drawing.js';
import { LINK_KINDS } from './kinds.js';
import { REASON_LABELS } from './link-words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../layers/layers.js').Layer} Layer */
/** @typedef {import('../layers/layers.js').LegendItem} LegendItem */
/** @typedef {import('walkmesh').RefusedSegmentLink} RefusedLink */

/** The legend of the links that a mesh has. @param {import('walkmesh').NavMesh} navMesh @param {boolean} hasBlocked @returns {LegendItem[]} */
function legendOf(navMesh, hasBlocked) {
  const { kinds, enabled, tied } = navMesh.segmentLinks();
  const has = (/** @type {(i: number) => boolean} */ isSo) => kinds.some((_, i) => isSo(i));
  return [
    ...LINK_KINDS.filter((_, kind) => has((i) => kinds[i] === kind && enabled[i] === 1 && tied[i] === 3)).map(({ kind, label }) => ({ color: SEGMENT_LINKS[kind], label })),
    ...(has((i) => enabled[i] === 0 && tied[i] === 3) ? [{ color: CONNECTIONS.disabled, label: 'Link, switched off' }] : []),
    ...(has((i) => tied[i] !== 3) ? [{ color: CONNECTIONS.untied, label: "Link, an end isn't on the mesh" }] : []),
    ...(hasBlocked ? [{ color: REFUSED_LINKS.blocked, label: 'Pinned link is blocked here' }] : []),
  ];
}

/** The links of the mesh, and marks where something blocks pinned ones. */
class SegmentLinksLayer extends HelperLayer {
  #app;
  #marks = new Dots({ color: REFUSED_LINKS.blocked, size: 15 });
  /** @type {App['links']['blocked'] | null} */
  #marked = null;
  /** The last legend, and what it is of. @type {{ navMesh: object, version: number, blocked: object, items: LegendItem[] } | null} */
  #legend = null;

  /** @param {App} app */
  constructor(app) {
    super(app, (navMesh) => {
      const helper = new SegmentLinksHelper(navMesh);
      shiftDepth(helper.surface.material, helper.rails.material);
      return drawAfterMesh(helper);
    }, (navMesh) => `${navMesh.segmentLinkCount.toLocaleString('en')} link${navMesh.segmentLinkCount === 1 ? '' : 's'}`, fadeLinks);
    this.#app = app;
    this.#marks.name = 'blocked links';
    this.object.add(this.#marks);
  }

  update() {
    super.update();
    const { blocked } = this.#app.links;
    if (blocked !== this.#marked) this.#marks.set([...blocked.values()].flatMap(({ place }) => [...lifted(place)]));
    this.#marked = blocked;
  }

  legend() {
    const navMesh = this.#app.bakes.current?.navMesh, { blocked } = this.#app.links;
    if (!navMesh || navMesh.segmentLinkCount === 0) return [];
    const { version } = navMesh, last = this.#legend;
    if (last?.navMesh === navMesh && last.version === version && last.blocked === blocked) return last.items;
    const items = legendOf(navMesh, blocked.size > 0);
    this.#legend = { navMesh, version, blocked, items };
    return items;
  }
}

/** @type {import('../layers/layers.js').LayerKind} */
export const segmentLinksLayer = {
  id: 'segmentLinks', group: 'Mesh', label: 'Links', hint: 'Drops, jumps, climbs and vaults, as wide as they are.', visible: true,
  create: (app) => new SegmentLinksLayer(app),
};

/** @param {SegmentLinksHelper} helper @param {number} opacity */
function fadeLinks({ surface, rails }, opacity) {
  for (const { material } of [surface, rails]) material.opacity = opacity;
}

/** The helper that draws the links; null: the layer is hidden. @param {App} app @returns {SegmentLinksHelper | null} */
export function linksHelperOf({ layers }) {
  const object = layers.get('segmentLinks')?.object;
  return (object?.visible && /** @type {SegmentLinksHelper | undefined} */ (object.children.find((part) => part instanceof SegmentLinksHelper))) || null;
}

/** Pixels of a dot. */
const DOT = 6;

/** Reasons of most edges of a mesh, which no change of links would help. */
const USUAL = new Set(['no-ground', 'no-border', 'walkable-step']);

/** Dots where candidates were stopped that had found ground, and lines from their take-offs to there. @implements {Layer} */
class RefusedLayer {
  object = new Group();
  #app;
  #dots = new Points(new BufferGeometry(), makeDotMaterial({ color: 0xffffff, size: DOT, opacity: 1, isGhost: false, hasColors: true }));
  #lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, toneMapped: false }));
  /** @type {readonly RefusedLink[] | null} */
  #drawn = null;
  #count = 0;
  /** @type {Map<string, number>} */
  #counts = new Map();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    for (const part of [this.#lines, this.#dots]) {
      part.renderOrder = 4;
      part.frustumCulled = false;
      part.raycast = () => {};
      this.object.add(part);
    }
  }

  update() {
    this.#app.links.wantRefused(true);
    const { refused } = this.#app.links;
    if (refused === this.#drawn) return;
    this.#drawn = refused;
    this.#draw((refused ?? []).filter(({ reason }) => !USUAL.has(String(reason))));
  }

  /** @param {readonly RefusedLink[]} refused */
  #draw(refused) {
    const [places, lines] = [new Float32Array(3 * refused.length), new Float32Array(6 * refused.length)];
    const [dotColors, lineColors] = [new Float32Array(3 * refused.length), new Float32Array(6 * refused.length)];
    const color = new Color();
    this.#count = refused.length;
    this.#counts.clear();
    refused.forEach(({ reason, start, place }, i) => {
      const name = /** @type {keyof typeof REFUSED_LINKS} */ (reason);
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      places.set(place, 3 * i);
      lines.set(start, 6 * i);
      lines.set(place, 6 * i + 3);
      color.set(REFUSED_LINKS[name]).toArray(dotColors, 3 * i);
      color.toArray(lineColors, 6 * i);
      color.toArray(lineColors, 6 * i + 3);
    });
    for (const [part, positions, colors] of /** @type {const} */ ([[this.#dots, places, dotColors], [this.#lines, lines, lineColors]])) {
      part.geometry.dispose();
      part.geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
      part.geometry.setAttribute('color', new BufferAttribute(colors, 3));
      part.geometry.setDrawRange(0, positions.length / 3);
    }
  }

  hide() {
    this.#app.links.wantRefused(false);
  }

  /** @param {number} opacity */
  setOpacity(opacity) {
    this.#dots.material.opacity = opacity;
    this.#lines.material.opacity = 0.35 * opacity;
  }

  note() {
    return `${this.#count.toLocaleString('en')} places`;
  }

  /** The reasons, from the most frequent. */
  legend() {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => {
      const name = /** @type {keyof typeof REFUSED_LINKS} */ (reason);
      return { color: REFUSED_LINKS[name], label: REASON_LABELS[name], note: count.toLocaleString('en') };
    });
  }
}

/** @type {import('../layers/layers.js').LayerKind} */
export const refusedLinksLayer = {
  id: 'refusedLinks', group: 'Mesh', label: 'Refused links', hint: 'Edges from which a link nearly leads to other ground, and where it was stopped.',
  create: (app) => new RefusedLayer(app),
};
