// Colours of the level tool's legends: those that one view shows stay apart for all kinds of colour vision, and in grey.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Color } from 'three';
import { COLORS } from '../../js/three/palette.js';
import { CONNECTIONS, CUT_OFF, DROP, GROUND, LINKS, NOT_WALKABLE, OUTLINES, REFUSED_LINKS, REGION_TINTS, REMOVED, SEGMENT_LINKS } from '../../web-demo/src/layers/colors.js';
import { DISTANCE_RAMP } from '../../web-demo/src/layers/palette.js';
import { TINTS } from '../../web-demo/src/stages/region-tints.js';

/** Matrices from linear red, green and blue to the colours that people see: Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009, severity 1. */
const VISION = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
};
/** Least distance of two colours, and of their lightness (CIELAB). */
const [APART, LIGHTNESS] = [14, 4];

/** A colour as it is seen, in CIELAB. @param {number} hex @param {keyof typeof VISION} vision */
function see(hex, vision) {
  const { r, g, b } = new Color(hex); // three.js keeps linear values
  const [red, green, blue] = VISION[vision].map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b)));
  const root = (/** @type {number} */ t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const { lowHanging, facesDown, ...removed } = REMOVED;
const LEGENDS = {
  Result: { ground: GROUND, ...OUTLINES, cutOff: CUT_OFF.light, rim: DROP, ...SEGMENT_LINKS, disabled: CONNECTIONS.disabled, untied: CONNECTIONS.untied },
  'Why not': { ground: GROUND, ...OUTLINES, cutOff: CUT_OFF.light, drop: DROP, ...removed },
  Graph: { ground: GROUND, ...OUTLINES, cutOff: CUT_OFF.light, ...LINKS, disabled: CONNECTIONS.disabled, untied: CONNECTIONS.untied },
};

for (const [view, legend] of Object.entries(LEGENDS)) {
  test(`two oranges of the legend of ${view} look alike: no two of its colours do, without red or green, either`, () => {
    const entries = Object.entries(legend);
    for (const vision of /** @type {(keyof typeof VISION)[]} */ (Object.keys(VISION))) {
      entries.forEach(([name, color], i) => {
        for (const [other, otherColor] of entries.slice(0, i)) {
          const [a, b] = [see(color, vision), see(otherColor, vision)];
          const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
          assert.ok(distance > APART, `${name} and ${other}: ${distance.toFixed(1)} apart, ${vision}`);
          if (vision === 'normal') assert.ok(Math.abs(a[0] - b[0]) > LIGHTNESS, `${name} and ${other} are as light: ${a[0].toFixed(1)}, ${b[0].toFixed(1)}`);
        }
      });
    }
  });
}

test('neighbouring regions look alike: the colours of a set are far apart, and those of two sets and grey nearly as far', () => {
  assert.equal(REGION_TINTS.length, 2 * TINTS);
  for (const vision of /** @type {(keyof typeof VISION)[]} */ (Object.keys(VISION))) {
    [...REGION_TINTS, NOT_WALKABLE].forEach((color, i, all) => all.slice(0, i).forEach((other, k) => {
      const [a, b] = [see(color, vision), see(other, vision)];
      const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      const isOneSet = Math.floor(i / TINTS) === Math.floor(k / TINTS);
      assert.ok(distance > (isOneSet ? APART : 0.75 * APART), `${color.toString(16)} and ${other.toString(16)}: ${distance.toFixed(1)} apart, ${vision}`);
    }));
  }
});

test('legends name the colours that the helpers draw', () => {
  assert.deepEqual(LINKS, { inside: COLORS.link, crossing: COLORS.crossing, connection: COLORS.connection });
  assert.deepEqual(CONNECTIONS, { enabled: COLORS.connection, disabled: COLORS.disabled, untied: COLORS.untied });
  assert.deepEqual(SEGMENT_LINKS, Object.fromEntries(['drop', 'jump', 'climb', 'vault'].map((kind) => [kind, COLORS[kind]])));
  assert.deepEqual([OUTLINES, GROUND], [{ wall: COLORS.wall, border: COLORS.border }, COLORS.ground]);
});

test('the edge of the ground vanishes in Clearance in the dark theme: the ramp is lighter from step to step, and all of it than the dark view', () => {
  const lightness = [0x14181d, ...DISTANCE_RAMP].map((color) => see(color, 'normal')[0]);
  lightness.slice(1).forEach((value, i) => assert.ok(value - lightness[i] > 8, `${lightness.map(Math.round)}`));
  assert.ok(lightness[1] - lightness[0] > 20, `${lightness.map(Math.round)}`);
});

test('reasons without a link look like kinds of links: they are apart from those, and from each other', () => {
  const { 'no-ground': _, 'no-border': __, 'walkable-step': ___, 'kind-off': ____, 'tile-missing': _____, ...reasons } = REFUSED_LINKS;
  const others = { ground: GROUND, ...SEGMENT_LINKS };
  for (const vision of /** @type {(keyof typeof VISION)[]} */ (Object.keys(VISION))) {
    Object.entries(reasons).forEach(([name, color], i, all) => {
      for (const [other, otherColor] of [...Object.entries(others), ...all.slice(0, i)]) {
        const [a, b] = [see(color, vision), see(otherColor, vision)];
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        assert.ok(distance > APART, `${name} and ${other}: ${distance.toFixed(1)} apart, ${vision}`);
      }
    });
  }
});
