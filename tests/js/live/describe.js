/** Says in words where two dumps first differ. */

/** @returns {number} the first byte that differs, or -1; a shorter array differs at its end */
export function firstDifference(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return a.length === b.length ? -1 : length;
}

/** @returns {boolean} */
export function sameBytes(a, b) {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/**
 * @param {string} name of the array @param {Uint8Array} ours @param {Uint8Array} theirs
 * @param {{width: number, depth: number}} grid
 * @returns {string} one line
 */
export function describeDifference(name, ours, theirs, grid) {
  const at = firstDifference(ours, theirs);
  if (at < 0) return `${name}: equal`;
  const place = describePlace(name, ours, at, grid);
  const show = (bytes) => Array.from(bytes.subarray(at - (at % 4), at - (at % 4) + 12)).join(' ');
  return `${name}: ${ours.length} bytes, peer ${theirs.length}; first at byte ${at} (${place}): `
    + `ours ${show(ours)}, peer ${show(theirs)}`;
}

function describePlace(name, bytes, at, grid) {
  const cellPlace = (cell) => `cell ${cell % grid.width}, ${Math.floor(cell / grid.width)}`;
  if (name.startsWith('hf_')) return heightfieldPlace(bytes, at, cellPlace);
  if (name === 'compact') {
    const cells = grid.width * grid.depth * 8;
    return at < cells ? `${cellPlace(at >> 3)} counts` : `span ${Math.floor((at - cells) / 9)}, byte ${(at - cells) % 9}`;
  }
  if (name === 'distance' || name === 'regions') return `span ${at >> 1}`;
  if (name.startsWith('areas')) return `span ${at}`;
  if (name === 'tri_areas') return `triangle ${at}`;
  if (name === 'contours') return contourPlace(bytes, at);
  return `word ${at >> 2}`;
}

function heightfieldPlace(bytes, at, cellPlace) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let cell = 0, start = 0; start < bytes.length; cell++) {
    const end = start + 4 + view.getUint32(start, true) * 12;
    if (at < end) return `${cellPlace(cell)}, word ${(at - start) >> 2} of its spans`;
    start = end;
  }
  return 'the end';
}

function contourPlace(bytes, at) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at < 4) return 'the count';
  let start = 4;
  for (let contour = 0; start < bytes.length; contour++) {
    const vertices = view.getUint32(start + 3, true);
    const raw = view.getUint32(start + 7 + vertices * 16, true);
    const end = start + 11 + (vertices + raw) * 16;
    if (at < end) return `contour ${contour} of region ${view.getUint16(start, true)}, byte ${at - start}`;
    start = end;
  }
  return 'the end';
}
