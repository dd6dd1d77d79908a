/** A closed level with a yard outside that is larger than its rooms, as games have them: the floors and ceilings alone. */

/** @param {number[]} x from and to @param {number} y @param {boolean} [isCeiling] faces down */
function makePlate([x0, x1], y, isCeiling = false) {
  const corners = [[x0, y, 0], [x0, y, 20], [x1, y, 20], [x1, y, 0]];
  return (isCeiling ? corners.reverse() : corners).flat();
}

/** Two floors side by side with a step of 0.5 m between them: a yard with a terrace, and two rooms below a ceiling. */
export const YARD = { yard: [10, 0, 10], terrace: [24, 0.5, 10], room: [40, 0, 10], chamber: [53, 0.5, 10] };

/** Areas before the agent radius: yard 400, terrace 160, room 280, chamber 200 m². */
export function makeClosedYard() {
  const plates = [makePlate([0, 20], 0), makePlate([20, 28], 0.5), makePlate([34, 48], 0), makePlate([48, 58], 0.5), makePlate([34, 58], 4, true)];
  return {
    positions: Float32Array.from(plates.flat()),
    indices: Uint32Array.from(plates.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * i + corner))),
  };
}
