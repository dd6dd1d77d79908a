/** A square of ground with a wall across most of it. */
export const level = {
  positions: Float32Array.of(
    0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0, // ground
    9, 3, 0, 9, 3, 16, 11, 3, 16, 11, 3, 0, // top of the wall
    9, 0, 16, 11, 0, 16, // its foot at the open end
  ),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 5, 8, 9, 5, 9, 6),
  solids: [{ kind: 'box', centre: [10, 1.5, 8], halfAxes: [1, 0, 0, 0, 1.5, 0, 0, 0, 8] }],
};
