/**
 * PNG files made small: colours are reduced to a palette, bytes are packed as tightly as zlib can. Only what a browser's screenshots
 * are: 8 bits a channel, with or without alpha, not interlaced.
 *
 * Source of the palette: P. Heckbert, Color image quantization for frame buffer display, 1982 (median cut), and rounds of
 * S. Lloyd, Least squares quantization in PCM, 1982.
 */
import { deflateSync, inflateSync, crc32 as nodeCrc32 } from 'node:zlib';

/** @typedef {{ width: number, height: number, rgb: Uint8Array }} Picture rgb: [height][width][3] */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** As zlib's, which older versions of Node do not hand out. @param {Uint8Array} bytes */
function slowCrc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
const crc32 = nodeCrc32 ?? slowCrc32;

/** Width and height of a PNG file, and whether it has a palette. @param {Uint8Array} bytes */
export function readHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) throw new Error('not a PNG file');
  return { width: view.getUint32(16), height: view.getUint32(20), depth: bytes[24], colorType: bytes[25], isInterlaced: bytes[28] !== 0 };
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Undoes the filter of each row. @param {Uint8Array} filtered @param {number} height @param {number} stride @param {number} step bytes of a pixel */
function unfilter(filtered, height, stride, step) {
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const kind = filtered[y * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i;
      const left = i < step ? 0 : rows[at - step];
      const up = y === 0 ? 0 : rows[at - stride];
      const corner = i < step || y === 0 ? 0 : rows[at - stride - step];
      const guess = kind === 0 ? 0 : kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paeth(left, up, corner);
      rows[at] = filtered[y * (stride + 1) + 1 + i] + guess;
    }
  }
  return rows;
}

/** Reads a screenshot; alpha is left out. @param {Uint8Array} bytes @returns {Picture} */
export function readPng(bytes) {
  const { width, height, depth, colorType, isInterlaced } = readHead(bytes);
  if (depth !== 8 || ![2, 6].includes(colorType) || isInterlaced) throw new Error('only RGB and RGBA with 8 bits, not interlaced, can be read');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === 0x49444154) parts.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at))); // IDAT
  }
  const step = colorType === 2 ? 3 : 4;
  const rows = unfilter(inflateSync(Buffer.concat(parts)), height, step * width, step);
  if (step === 3) return { width, height, rgb: rows };
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) rgb.set(rows.subarray(4 * i, 4 * i + 3), 3 * i);
  return { width, height, rgb };
}

/** Colours of a picture with how often each occurs, as [red, green, blue, count]. @param {Uint8Array} rgb */
function countColors(rgb) {
  const counts = new Map();
  for (let i = 0; i < rgb.length; i += 3) {
    const key = rgb[i] << 16 | rgb[i + 1] << 8 | rgb[i + 2];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, count]) => [key >> 16, key >> 8 & 255, key & 255, count]);
}

/** What is lost where a box of colours becomes its mean. @param {number[][]} colors */
function boxOf(colors) {
  const mean = [0, 0, 0], spread = [0, 0, 0];
  let total = 0;
  for (const color of colors) {
    // Frequent colours count for less than their share: thin lines stay what they are.
    const weight = Math.sqrt(color[3]);
    total += weight;
    for (let c = 0; c < 3; c++) mean[c] += weight * color[c];
  }
  for (let c = 0; c < 3; c++) mean[c] /= total;
  for (const color of colors) for (let c = 0; c < 3; c++) spread[c] += Math.sqrt(color[3]) * (color[c] - mean[c]) ** 2;
  const axis = spread.indexOf(Math.max(...spread));
  return { colors, mean, axis, error: spread[axis] };
}

/** Median cut: boxes are divided, the one with the largest error first. @param {number[][]} colors @param {number} count */
function cutMedian(colors, count) {
  const boxes = [boxOf(colors)];
  while (boxes.length < count) {
    const worst = boxes.reduce((best, box, i) => (box.error > boxes[best].error ? i : best), 0);
    const { colors: all, axis, mean, error } = boxes[worst];
    if (error === 0) break;
    const [low, high] = [all.filter((color) => color[axis] <= mean[axis]), all.filter((color) => color[axis] > mean[axis])];
    boxes.splice(worst, 1, boxOf(low), boxOf(high));
  }
  return boxes.map(({ mean }) => mean);
}

/** The entry of a palette that is nearest. @param {number[][]} palette @param {number[]} color */
function nearest(palette, [r, g, b]) {
  let [best, least] = [0, Infinity];
  for (let i = 0; i < palette.length; i++) {
    const distance = (palette[i][0] - r) ** 2 + (palette[i][1] - g) ** 2 + (palette[i][2] - b) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/**
 * A picture's colours as a palette, and a number of it for each pixel.
 * @param {Picture} picture @param {number} [count] colours, 2 to 256
 */
export function quantize({ width, height, rgb }, count = 256) {
  const colors = countColors(rgb);
  let palette = cutMedian(colors, count);
  const entries = new Map();
  for (let round = 0; round < 2; round++) {
    const sums = palette.map(() => [0, 0, 0, 0]);
    for (const color of colors) {
      const weight = Math.sqrt(color[3]), sum = sums[nearest(palette, color)];
      for (let c = 0; c < 3; c++) sum[c] += weight * color[c];
      sum[3] += weight;
    }
    palette = palette.map((mean, i) => (sums[i][3] > 0 ? sums[i].slice(0, 3).map((sum) => sum / sums[i][3]) : mean));
  }
  palette = palette.map((color) => color.map(Math.round));
  for (const color of colors) entries.set(color[0] << 16 | color[1] << 8 | color[2], nearest(palette, color));
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = entries.get(rgb[3 * i] << 16 | rgb[3 * i + 1] << 8 | rgb[3 * i + 2]);
  return { palette, pixels };
}

/** @param {string} type @param {Uint8Array} content */
function chunk(type, content) {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}

/** A screenshot as a small file: the same picture in fewer colours. @param {Uint8Array} bytes @param {number} [count] colours @returns {Buffer} */
export function shrinkPng(bytes, count = 256) {
  const picture = readPng(bytes);
  const { width, height } = picture;
  const { palette, pixels } = quantize(picture, count);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  // Rows of palette entries are best left unfiltered.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([Buffer.from(SIGNATURE), chunk('IHDR', head), chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })), chunk('IEND', new Uint8Array(0))]);
}
