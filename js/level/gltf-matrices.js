/** Matrices of glTF: sixteen numbers, column by column. */

/** @typedef {ArrayLike<number>} Matrix sixteen numbers, column by column */

/** @param {Matrix} a @param {Matrix} b */
export function multiply(a, b) {
  return Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i % 4, i - (i % 4)];
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3];
  });
}

/** @param {ArrayLike<number>} t @param {ArrayLike<number>} q quaternion @param {ArrayLike<number>} s */
export function composeMatrix(t, q, s) {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  return [
    s[0] * (1 - 2 * (y * y + z * z)), s[0] * 2 * (x * y + z * w), s[0] * 2 * (x * z - y * w), 0,
    s[1] * 2 * (x * y - z * w), s[1] * (1 - 2 * (x * x + z * z)), s[1] * 2 * (y * z + x * w), 0,
    s[2] * 2 * (x * z + y * w), s[2] * 2 * (y * z - x * w), s[2] * (1 - 2 * (x * x + y * y)), 0,
    t[0], t[1], t[2], 1,
  ];
}

/** True if a matrix mirrors. @param {Matrix} m */
export function mirrors(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9])
    + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0;
}
