// @ts-nocheck: plain lists of numbers
/**
 * Shapes of which random levels consist. Each appends triangles; walkable ones face up.
 * A soup is {positions: number[], indices: number[]}.
 */

export function emptySoup() {
  return { positions: [], indices: [] };
}

/** Appends a triangle by its three vertices. */
export function addTriangle(soup, a, b, c) {
  const first = soup.positions.length / 3;
  soup.positions.push(...a, ...b, ...c);
  soup.indices.push(first, first + 1, first + 2);
}

/** Appends a flat or skew quadrilateral; counter-clockwise seen from its front. */
export function addQuad(soup, a, b, c, d) {
  const first = soup.positions.length / 3;
  soup.positions.push(...a, ...b, ...c, ...d);
  soup.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
}

/** A horizontal rectangle, or a ramp when the heights at its ends along x differ. */
export function addGround(soup, x0, z0, x1, z1, y0, y1 = y0) {
  addQuad(soup, [x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]);
}

/** A box standing on y0, turned by `yaw` radians about its centre. */
export function addBox(soup, x, z, halfX, halfZ, y0, y1, yaw = 0) {
  const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
  const corner = (u, v, y) => [x + u * cos + v * sin, y, z - u * sin + v * cos];
  const ring = [[-halfX, -halfZ], [-halfX, halfZ], [halfX, halfZ], [halfX, -halfZ]];
  const low = ring.map(([u, v]) => corner(u, v, y0));
  const high = ring.map(([u, v]) => corner(u, v, y1));
  addQuad(soup, high[0], high[1], high[2], high[3]);
  addQuad(soup, low[3], low[2], low[1], low[0]);
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) & 3;
    addQuad(soup, low[i], low[j], high[j], high[i]);
  }
}

/** Steps rising along x. */
export function addStairs(soup, x, z, width, steps, run, rise, y = 0) {
  for (let i = 0; i < steps; i++) {
    const left = x + i * run;
    const top = y + (i + 1) * rise;
    addGround(soup, left, z, left + run, z + width, top);
    addQuad(soup, [left, top - rise, z], [left, top - rise, z + width], [left, top, z + width], [left, top, z]);
  }
}

/** A grid of heights: heights[x + z * (columns + 1)]. */
export function addHeightGrid(soup, x0, z0, columns, rows, side, heightAt) {
  const first = soup.positions.length / 3;
  for (let z = 0; z <= rows; z++) {
    for (let x = 0; x <= columns; x++) soup.positions.push(x0 + x * side, heightAt(x, z), z0 + z * side);
  }
  const at = (x, z) => first + x + z * (columns + 1);
  for (let z = 0; z < rows; z++) {
    for (let x = 0; x < columns; x++) {
      soup.indices.push(at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x, z), at(x + 1, z + 1), at(x + 1, z));
    }
  }
}

/** A ramp winding upwards around (x, z): storeys above one another in every column. */
export function addSpiral(soup, x, z, inner, outer, turns, rise, segments = 16) {
  const at = (i, radius) => {
    const angle = (i / segments) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), (i / segments) * rise, z + radius * Math.sin(angle)];
  };
  for (let i = 0; i < turns * segments; i++) {
    addQuad(soup, at(i, inner), at(i + 1, inner), at(i + 1, outer), at(i, outer));
  }
}

/** A plate with a rectangular hole. */
export function addFrame(soup, x0, z0, x1, z1, hole, y) {
  const [hx0, hz0, hx1, hz1] = hole;
  addGround(soup, x0, z0, x1, hz0, y);
  addGround(soup, x0, hz1, x1, z1, y);
  addGround(soup, x0, hz0, hx0, hz1, y);
  addGround(soup, hx1, hz0, x1, hz1, y);
}
