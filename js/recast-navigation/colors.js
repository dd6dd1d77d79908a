/** Colours as Recast's debug drawing packs them. */

import { requireNumber } from './arguments.js';

/** @param {number} hexColor 0xRRGGBB @returns {number} 32 bits: opaque, blue, green, red */
export const rgbToDuRgba = (hexColor) => (0xff << 24) | ((requireNumber(hexColor, 'hexColor') & 0xff) << 16) | (hexColor & 0xff00) | ((hexColor >> 16) & 0xff);
