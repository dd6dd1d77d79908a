/**
 * Explains differences between our array and the peer's: each function proves one explanation, or returns null.
 *
 *   tie order         the peer's sort does not keep the order of equal keys. Proof: our rules with the peer's
 *                     sort give the peer's bytes, with our sort our bytes.
 *   hole-merging slip the peer leaves the wrong outline edges out of a test. Proof: as above, with the slip.
 *   peer's own error  the peer's log says that its regions overlap, that it found no bridge for a hole, that a
 *                     triangulation failed (which can change its merged contours), or that it dropped dangling faces.
 *                     From there on our result should be better, not equal. Proof: only the regions or polygons
 *                     that the log names differ, and no surface is lost.
 *   peer's lost height  the peer finds no height beside a region, and stores a vertex 65,535 cell heights up. Proof: only
 *                     polygons with such a vertex differ, and ours have none.
 */

import { contourOracle, doubledArea } from './contour_oracle.js';
import { sameBytes } from './describe.js';
import { areaByRegion, readContours, readPolygons, splitDetail } from './dumps.js';
import { smoothSort, stableSort } from './sorting.js';

const OWN_ERROR = "peer's own error";
const LOST_HEIGHT = "peer's lost height";

/** @typedef {object} Pair ours, theirs: the two dumps; messages: the peer's log; and the arrays that the function names */

const count = (messages, text) => messages.filter((message) => message.includes(text)).length;

/** Regions may overlap themselves in the peer's dump, but not in ours, and no surface may be lost. @param {Pair} pair */
export function explainRegions({ ours, theirs, messages, field }) {
  if (count(messages, 'overlapping regions') === 0) return null;
  const [mine, others] = [ours, theirs].map((bytes) => new Uint16Array(bytes.slice().buffer));
  for (let cell = 0; cell < field.first.length; cell++) {
    const spans = mine.subarray(field.first[cell], field.first[cell] + field.count[cell]);
    const regions = spans.filter((region) => region !== 0 && region < 0x8000);
    if (new Set(regions).size < regions.length) return null;
  }
  return mine.every((region, span) => region !== 0 || others[span] === 0) ? OWN_ERROR : null;
}

/**
 * @param {Pair} pair field: with the regions from which the contours were traced; meshMessages: the peer's log when it
 *        triangulates its own contours
 */
export function explainContours({ ours, theirs, messages, field, settings, meshMessages }) {
  const faulty = new Set();
  const plain = contourOracle(field, settings, { unjoined: faulty });
  const unjoined = faulty.size;
  const why = [];
  if (!sameBytes(plain, ours)) {
    if (unjoined > 0 && count(messages, 'Failed to find merge points') === 0) return null;
    for (const region of untriangulated(meshMessages, theirs)) faulty.add(region);
    if (!isJoinedBetter(plain, ours, faulty)) return null;
    why.push(OWN_ERROR);
  }
  for (const [slip, sort, name] of [
    [false, stableSort, null],
    [false, smoothSort, 'tie order'],
    [true, stableSort, 'hole-merging slip'],
    [true, smoothSort, 'hole-merging slip and tie order'],
  ]) {
    if (!sameBytes(contourOracle(field, settings, { slip, sort }), theirs)) continue;
    if (name !== null) why.push(name);
    return why.length > 0 ? why.join(', ') : null;
  }
  return null;
}

/** Regions with a contour that the peer failed to triangulate. */
function untriangulated(messages, contours) {
  const rings = readContours(contours);
  const failed = messages.map((message) => /Bad triangulation Contour (\d+)/.exec(message)).filter(Boolean);
  return new Set(failed.map(([, index]) => rings[Number(index)].region));
}

/** True if our contours differ from the unmodified rules only in regions that the peer reported, and no surface is lost. */
function isJoinedBetter(plain, ours, faulty) {
  const [a, b] = [readContours(plain), readContours(ours)];
  if (a.length !== b.length) return false;
  const areas = new Map();
  for (const [i, contour] of a.entries()) {
    const other = b[i];
    const sameRecord = contour.region === other.region && contour.area === other.area && contour.raw === other.raw;
    if (!sameRecord) return false;
    if (!faulty.has(contour.region)) {
      if (String(contour.points) !== String(other.points)) return false;
      continue;
    }
    const change = doubledArea(other.points) - doubledArea(contour.points);
    areas.set(contour.region, (areas.get(contour.region) ?? 0) + change);
  }
  return [...areas.values()].every((change) => change === 0);
}

/** Only polygons of regions with a contour that failed to triangulate differ. @param {Pair} pair */
export function explainPolygons({ ours, theirs, messages, contours, borderSize }) {
  const regions = untriangulated(messages, contours);
  if (regions.size === 0) return null;
  regions.add(0); // polygons of several regions: near the border of a tile one of them may have failed
  const others = (bytes) => {
    const list = readPolygons(bytes)
      .filter((polygon) => !regions.has(polygon.region))
      .map((polygon) => `${polygon.region} ${polygon.area} ${polygon.corners}`);
    // Removing vertices on a tile's border moves the last polygons into the gaps.
    return (borderSize > 0 ? list.sort() : list).join('\n');
  };
  if (others(ours) !== others(theirs)) return null;
  return borderSize === 0 && losesSurface(readContours(contours), readPolygons(ours)) ? null : OWN_ERROR;
}

/** True if the polygons of some region cover less than its contours enclose. */
function losesSurface(rings, polygons) {
  const covered = areaByRegion(polygons);
  const enclosed = new Map();
  for (const { region, points } of rings) enclosed.set(region, (enclosed.get(region) ?? 0) + doubledArea(points));
  return [...enclosed].some(([region, area]) => (covered.get(region) ?? 0) < area);
}

/**
 * The polygons with a different detail mesh are at most as many as the faces that the peer dropped, beside those where it found no height.
 * @param {Pair} pair highest: the height that the peer stores for none, world units
 */
export function explainDetail({ ours, theirs, messages, highest }) {
  const dangling = count(messages, 'dangling face');
  const [a, b] = [ours, theirs].map((bytes) => splitDetail(bytes));
  if (a.length !== b.length) return null;
  const differing = [...a.keys()].filter((i) => a[i].bytes !== b[i].bytes);
  const isLost = (/** @type {{ heights: Float32Array }} */ { heights }) => heights.some((height) => height >= highest);
  if (a.some(isLost)) return null;
  const others = differing.filter((i) => !isLost(b[i]));
  if (differing.length === 0 || others.length > dangling) return null;
  return others.length > 0 ? OWN_ERROR : LOST_HEIGHT;
}
