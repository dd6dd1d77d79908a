/** Offsets the outline of a polygon, as Recast does for obstacles. */
import { requireAmount, requireFloats } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';

/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * @param {Session} session @param {import('../runtime/arguments.js').Points} vertices @param {number} offset
 * @returns {Float32Array}
 */
export function offsetPolygon(session, vertices, offset) {
  const floats = requireFloats(vertices, 'vertices');
  if (floats.length % 3 !== 0 || floats.length < 9) {
    throw invalidArgument('vertices', `has ${floats.length} numbers: must be three or more points of 3`, floats.length);
  }
  const bad = floats.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw invalidArgument(`vertices[${Math.floor(bad / 3)}]`, `holds ${floats[bad]}: must be finite`, floats[bad]);
  if (!Number.isFinite(Math.fround(requireAmount(offset, 'offset')))) {
    throw invalidArgument('offset', `is ${offset}: must be finite`, offset);
  }
  const address = session.allocate(2 * floats.byteLength);
  try {
    session.refresh();
    session.f32.set(floats, address / 4);
    session.check(session.guard(() => session.wasm.offset_polygon(session.handle, address, floats.length / 3, offset)));
    session.refresh();
    return session.f32.slice(address / 4, address / 4 + 3 * session.u32[session.answer]);
  } finally {
    session.wasm.memory_free(session.handle, address);
  }
}
