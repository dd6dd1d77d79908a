/**
 * How the positions of a level file become world units with y up: its unit, up axis, winding and an extra scale. Also finds
 * settings that fit a level better: from the way it faces and from its size.
 */

/** @typedef {'m' | 'cm' | 'mm' | 'in' | 'ft'} Unit */
/**
 * @typedef {object} ImportSettings
 * @property {Unit} unit of the file's positions
 * @property {'y' | 'z'} upAxis
 * @property {boolean} flip true: the winding of all triangles is flipped
 * @property {number} scale an extra factor, above 0
 */

/** @type {readonly { id: Unit, label: string, metres: number }[]} */
export const UNITS = [
  { id: 'm', label: 'Metres', metres: 1 }, { id: 'cm', label: 'Centimetres', metres: 0.01 }, { id: 'mm', label: 'Millimetres', metres: 0.001 },
  { id: 'in', label: 'Inches', metres: 0.0254 }, { id: 'ft', label: 'Feet', metres: 0.3048 },
];

/** Settings that leave a file as it is. @type {Readonly<ImportSettings>} */
export const AS_IS = Object.freeze({ unit: 'm', upAxis: 'y', flip: false, scale: 1 });

/** @param {Unit} unit */
const metresOf = (unit) => UNITS.find(({ id }) => id === unit)?.metres ?? 1;

/** The factor from the file's positions to world units. @param {ImportSettings} settings */
export const factorOf = ({ unit, scale }) => metresOf(unit) * scale;

/** The settings that differ from AS_IS; undefined: none, so that addresses stay short. @param {Partial<ImportSettings>} settings @returns {Partial<ImportSettings> | undefined} */
export function changedSettings(settings) {
  const changed = Object.entries(settings).filter(([name, value]) => name in AS_IS && value !== AS_IS[/** @type {keyof ImportSettings} */ (name)]);
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

/** True for settings from outside that can be applied. @param {any} settings */
export const isImport = (settings) => typeof settings === 'object' && settings !== null && Object.entries(settings).every(([name, value]) => (
  name === 'unit' ? UNITS.some(({ id }) => id === value)
    : name === 'upAxis' ? value === 'y' || value === 'z'
      : name === 'flip' ? typeof value === 'boolean'
        : name === 'scale' && Number.isFinite(value) && value > 0));

/**
 * Applies the settings to a level, in place.
 * @param {{ positions: Float32Array, indices: Uint32Array }} level @param {Partial<ImportSettings>} [settings]
 */
export function applyImport({ positions, indices }, settings = {}) {
  const { upAxis, flip, ...sizes } = { ...AS_IS, ...settings };
  const factor = factorOf({ upAxis, flip, ...sizes });
  if (factor !== 1) for (let i = 0; i < positions.length; i++) positions[i] *= factor;
  if (upAxis === 'z') {
    for (let i = 0; i + 2 < positions.length; i += 3) {
      const y = positions[i + 1];
      positions[i + 1] = positions[i + 2];
      positions[i + 2] = 0 - y; // never -0
    }
  }
  if (flip) for (let i = 0; i + 2 < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
}

/** A level this wide and this high, in world units, is likely in a smaller unit. @type {readonly { unit: Unit, wide: number, high: number }[]} */
const SIZES = [{ unit: 'mm', wide: 30_000, high: 1500 }, { unit: 'cm', wide: 2000, high: 150 }];
/** A level narrower than this is likely a hundred times too small, world units. */
const TINY = 3;

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(3)).toLocaleString('en');

/**
 * Settings that fit a level better than those it was read with, and why.
 * @param {{ bounds: { min: readonly number[], max: readonly number[] }, facing: import('walkmesh/level').LevelFacing | null }} level as it was read
 * @param {Partial<ImportSettings>} [settings] it was read with
 * @returns {{ settings: Partial<ImportSettings>, reasons: string[] } | null} settings: that change
 */
export function suggestImport({ bounds: { min, max }, facing }, settings = {}) {
  /** @type {Partial<ImportSettings>} */
  const better = {};
  const reasons = [];
  const now = { ...AS_IS, ...settings };
  const direction = facing?.direction;
  if (direction?.[1] === 'z') {
    better.upAxis = now.upAxis === 'y' ? 'z' : 'y';
    if (direction === '-z' && now.upAxis === 'y') better.flip = !now.flip;
    reasons.push(`The ground faces ${direction}: z is ${facing?.isSure ? '' : 'probably '}up${better.flip === undefined ? '' : ', and the winding is flipped'}.`);
  } else if (direction === '-y') {
    better.flip = !now.flip;
    reasons.push('The ground faces down: its winding is flipped.');
  } else if (direction) {
    reasons.push(`The ground faces ${direction}: turn the level in its editor so that y or z is up.`);
  }
  const sides = max.map((value, axis) => value - min[axis]);
  const upright = better.upAxis ? [sides[0], sides[2], sides[1]] : sides;
  const wide = Math.max(upright[0], upright[2]);
  const smaller = now.unit === 'm' ? SIZES.find((size) => wide >= size.wide && upright[1] >= size.high) : undefined;
  if (smaller) {
    better.unit = smaller.unit;
    reasons.push(`It is ${rounded(wide)} m wide and ${rounded(upright[1])} m high: ${UNITS.find(({ id }) => id === smaller.unit)?.label.toLowerCase()}, most likely.`);
  } else if (wide > 0 && wide < TINY && now.scale === 1) {
    better.scale = 100;
    reasons.push(`It is only ${rounded(wide)} m wide: a hundred times too small, most likely.`);
  }
  return reasons.length > 0 ? { settings: better, reasons } : null;
}
