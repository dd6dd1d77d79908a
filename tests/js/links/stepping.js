/**
 * The oracle of steps: can agents walk a straight way although the mesh has a hole? Then no link needs to lead there. Reads the voxels of
 * the bake, and the mesh; shares no code with the generator.
 */

/** Places of the way are this many cells apart. */
const STEP_CELLS = 0.25;
/** Cell heights by which the mesh may lie beside the floor at the start. */
const MESH_SLACK = 2;
const ROUNDING = 1e-4;

/** @typedef {{ floor: number, ceiling: number }} Room */

/** The room above each floor of a cell. @param {import('./solid-columns.js').SolidColumns} columns @param {number} x @param {number} z @returns {Room[]} */
function listRooms(columns, x, z) {
  const spans = /** @type {[number, number][]} */ ([]);
  columns.someOfCell(x, z, (low, high) => {
    spans.push([low, high]);
    return false;
  });
  spans.sort((a, b) => a[0] - b[0]);
  return spans.map(([, floor], i) => ({ floor, ceiling: spans[i + 1]?.[0] ?? Infinity }));
}

/** How far the mesh ends before what isn't walkable, at least: bakes round the radius up to cells. @param {import('./precision.js').Agent} agent */
const erosionOf = ({ cellSize, agentRadius }) => Math.max(0.5, Math.ceil(agentRadius / cellSize)) * cellSize;

/**
 * True if the floor goes on from a point of the mesh to another one, with steps up to the climb and room for the agent, and no part of the
 * way without mesh is as long as what the mesh keeps from obstacles on both sides.
 * @param {import('./recall.js').World} world @param {import('./trajectories.js').Point} start @param {import('./trajectories.js').Point} end
 */
export function canStep({ columns, ground, agent }, start, end) {
  const { cellSize, cellHeight, agentHeight, agentMaxClimb } = agent;
  const distance = Math.hypot(end[0] - start[0], end[2] - start[2]), count = Math.ceil(distance / (STEP_CELLS * cellSize));
  let room = { floor: start[1], ceiling: Infinity }, lastMesh = 0;
  for (let i = 0; i <= count; i++) {
    const along = i / count, [x, z] = [0, 2].map((axis) => start[axis] + along * (end[axis] - start[axis]));
    const climb = agentMaxClimb + ROUNDING + (i === 0 ? MESH_SLACK * cellHeight : 0), from = room.floor;
    const rise = (/** @type {Room} */ { floor }) => Math.abs(floor - from);
    const next = listRooms(columns, x, z).filter((one) => rise(one) <= climb).sort((a, b) => rise(a) - rise(b))[0];
    if (!next || Math.min(room.ceiling, next.ceiling) - Math.max(from, next.floor) < agentHeight - ROUNDING) return false;
    room = next;
    const isMesh = ground.heightsAt(x, z).some((height) => Math.abs(height - next.floor) <= agentMaxClimb + MESH_SLACK * cellHeight);
    if (isMesh) lastMesh = along * distance;
    if (along * distance - lastMesh >= 2 * erosionOf(agent)) return false;
  }
  return Math.abs(end[1] - room.floor) <= agentMaxClimb + MESH_SLACK * cellHeight;
}
