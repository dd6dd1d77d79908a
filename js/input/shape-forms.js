/**
 * The words of shapes: solids, area volumes, obstacles and switches take the same ones. A shape may be given in several forms; here
 * the others become the one that C stores.
 *
 *   box        { min, max }, or { centre, halfExtents }; as a solid also { centre, halfAxes }
 *   rotatedBox { centre, halfExtents, yaw }
 *   cylinder   { base, radius, height }; as a solid also { start, end, radius }
 */
import { numbersOfPoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { requireNames } from '../runtime/option-names.js';

/** @typedef {import('../runtime/option-names.js').NameSet} NameSet */

/**
 * A form: its names, and its conversion to the fields that are stored (and to another kind, if the shape is stored as one).
 * @typedef {object} ShapeForm
 * @property {readonly string[]} names
 * @property {(shape: any, field: string) => Record<string, unknown>} convert
 */

/** @param {unknown} value @param {string} field @returns {number} */
export function requireNumber(value, field) {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw invalidArgument(field, `must be a number, not ${describe(value)}`, value);
}

/** @param {unknown} value @param {string} field */
export function requirePoint(value, field) {
  const numbers = numbersOfPoint(value);
  if (!numbers) throw invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, not ${describe(value)}`, value);
  return numbers.map((number, axis) => requireNumber(number, `${field}[${axis}]`));
}

/** Half the size of a box, above 0 on each axis. @param {unknown} value @param {string} field */
function requireHalfExtents(value, field) {
  const halves = requirePoint(value, field);
  const axis = halves.findIndex((half) => !(half > 0));
  if (axis >= 0) throw invalidArgument(`${field}[${axis}]`, `is ${halves[axis]}: must be above 0`, halves[axis]);
  return halves;
}

/** @param {any} shape @param {string} field */
function readCorners(shape, field) {
  const min = requirePoint(shape.min, `${field}.min`), max = requirePoint(shape.max, `${field}.max`);
  const axis = max.findIndex((high, i) => !(high > min[i]));
  if (axis >= 0) throw invalidArgument(`${field}.max[${axis}]`, `is ${max[axis]}: must be above min (${min[axis]})`, max[axis]);
  return { min, max };
}

/** The half axes of a box that is turned by `yaw`, counter-clockwise seen from above. @param {number[]} halves @param {number} yaw */
const turnedAxes = ([x, y, z], yaw) => {
  const sin = Math.sin(yaw), cos = Math.cos(yaw);
  return [x * cos, 0, -x * sin + 0, 0, y, 0, z * sin, 0, z * cos]; // + 0: never -0
};

/** As { centre, halfExtents } and perhaps yaw. @param {any} shape @param {string} field */
const toHalfAxes = (shape, field) => ({
  centre: requirePoint(shape.centre, `${field}.centre`),
  halfAxes: turnedAxes(requireHalfExtents(shape.halfExtents, `${field}.halfExtents`), requireNumber(shape.yaw ?? 0, `${field}.yaw`)),
});

/** @type {ShapeForm} */
const CORNERS_TO_HALF_AXES = {
  names: ['min', 'max'],
  convert(shape, field) {
    const { min, max } = readCorners(shape, field);
    const halves = max.map((high, axis) => (high - min[axis]) / 2);
    return { centre: max.map((high, axis) => (min[axis] + high) / 2), halfAxes: turnedAxes(halves, 0) };
  },
};

/** @type {ShapeForm} */
const BASE_TO_CAPS = {
  names: ['base', 'radius', 'height'],
  convert(shape, field) {
    const base = requirePoint(shape.base, `${field}.base`), height = requireNumber(shape.height, `${field}.height`);
    if (!(height > 0)) throw invalidArgument(`${field}.height`, `is ${height}: must be above 0`, height);
    return { start: base, end: [base[0], base[1] + height, base[2]], radius: shape.radius };
  },
};

/** @type {ShapeForm} */
const CENTRE_TO_CORNERS = {
  names: ['centre', 'halfExtents'],
  convert(shape, field) {
    const centre = requirePoint(shape.centre, `${field}.centre`), halves = requireHalfExtents(shape.halfExtents, `${field}.halfExtents`);
    return { min: centre.map((value, axis) => value - halves[axis]), max: centre.map((value, axis) => value + halves[axis]) };
  },
};

/** The other forms of a solid, by kind. @type {Readonly<Record<string, readonly ShapeForm[]>>} */
export const SOLID_FORMS = {
  box: [CORNERS_TO_HALF_AXES, { names: ['centre', 'halfExtents'], convert: toHalfAxes }],
  rotatedBox: [{ names: ['centre', 'halfExtents', 'yaw'], convert: (shape, field) => ({ kind: 'box', ...toHalfAxes(shape, field) }) }],
  cylinder: [BASE_TO_CAPS],
};

/** The other forms of a volume, by kind. @type {Readonly<Record<string, readonly ShapeForm[]>>} */
export const VOLUME_FORMS = { box: [CENTRE_TO_CORNERS] };

/**
 * The form of a shape: the first that has a name of the shape which the stored form lacks; undefined: the stored form.
 * @param {any} shape @param {readonly ShapeForm[]} forms @param {NameSet | undefined} stored names of the stored form
 */
const findForm = (shape, forms, stored) => forms.find(({ names }) => names.some((name) => !stored?.includes(name) && shape[name] !== undefined));

/**
 * Converts a shape in another form to the stored one; returns others unchanged. Throws if it mixes forms.
 * @param {any} shape @param {Readonly<Record<string, readonly ShapeForm[]>>} formsByKind @param {readonly string[]} common names that shapes of all forms may have
 * @param {NameSet | undefined} stored names of the stored form @param {string} field
 */
export function toStoredForm(shape, formsByKind, common, stored, field) {
  const { kind } = shape;
  const forms = typeof kind === 'string' && Object.hasOwn(formsByKind, kind) ? formsByKind[kind] : [];
  const form = findForm(shape, forms, stored) ?? (stored ? undefined : forms[0]);
  if (!form) return shape;
  requireNames(shape, ['kind', ...common, ...form.names], `${field}.`);
  const rest = Object.fromEntries(common.filter((name) => shape[name] !== undefined).map((name) => [name, shape[name]]));
  return { kind: shape.kind, ...rest, ...form.convert(shape, field) };
}
