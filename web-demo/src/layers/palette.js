/**
 * Colours by number, as a lookup texture for the shaders of this folder. Each layer defines the meaning of its numbers (areas, regions,
 * kinds of edges ...). Number 0 can be left undrawn.
 */
import { Color, DataTexture, NearestFilter, RGBAFormat } from 'three';
import { regionColor } from 'walkmesh/three';
import { areaOf, areasOf } from '../edit/areas.js';
import { CEILING, REGION_COLORS } from '../stages/views.js';
import { NOT_WALKABLE, REGION_TINTS } from './colors.js';

/** @typedef {{ texture: DataTexture, size: number }} Palette */

/** From walls (dark) to the middle of the ground. */
export const DISTANCE_RAMP = [0x2c4c8c, 0x1d6f83, 0x3fae8d, 0xb6d56b, 0xfff3b0];

/** @param {(number | string | null)[]} colors null: not drawn @returns {Palette} */
export function makePalette(colors) {
  const bytes = new Uint8Array(4 * colors.length);
  const color = new Color();
  colors.forEach((value, i) => {
    if (value === null) return;
    const hex = color.set(value).getHex();
    bytes.set([hex >> 16, hex >> 8 & 255, hex & 255, 255], 4 * i);
  });
  const texture = new DataTexture(bytes, colors.length, 1, RGBAFormat);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return { texture, size: colors.length };
}

/**
 * The area colours of a document, and the colour of ceilings (stages/views.js).
 * @param {import('../state/document.js').Document} document @param {number | null} [ceiling] null: not drawn
 */
export function areaPalette(document, ceiling = NOT_WALKABLE) {
  const areas = areasOf(/** @type {any} */ (document));
  return makePalette([...Array.from({ length: CEILING.solid }, (_, area) => (area === 0 ? NOT_WALKABLE : areaOf(areas, area).color)), ceiling]);
}

/** One colour for each island or heightfield layer. @param {number | null} [none] color of number 0 */
export const islandPalette = (none = NOT_WALKABLE) => makePalette(Array.from({ length: REGION_COLORS }, (_, island) => (island === 0 ? none : regionColor(island).getHex())));

/**
 * The colours of regions, and of what is made of them: neighbours differ.
 * @param {number | null} [none] color of number 0
 * @param {{ towards: number, share: number }} [mix] blends in another colour, so that outlines stand out from their regions
 */
export function regionPalette(none = NOT_WALKABLE, mix = { towards: 0, share: 0 }) {
  const towards = new Color(mix.towards);
  return makePalette([none, ...REGION_TINTS.map((tint) => new Color(tint).lerp(towards, mix.share).getHex())]);
}

/** Numbers 0 to 255 along a colour ramp. @param {number[]} stops @param {number | null} [none] colour of 0; default: the first */
export function rampPalette(stops, none = stops[0]) {
  return makePalette(Array.from({ length: 256 }, (_, i) => {
    if (i === 0) return none;
    const at = i / 255 * (stops.length - 1);
    const first = Math.min(Math.floor(at), stops.length - 2);
    // Interpolates in sRGB like style sheets, so that the legend matches.
    const part = (/** @type {number} */ shift) => {
      const [a, b] = [stops[first] >> shift & 255, stops[first + 1] >> shift & 255];
      return Math.round(a + (b - a) * (at - first)) << shift;
    };
    return part(16) | part(8) | part(0);
  }));
}
