/** A chart of a soak as SVG: panels stacked vertically over a common time axis. */

/** @typedef {{ title: string, lines: { name: string, values: number[] }[], unit: string }} Panel values: one for each time */

const [WIDTH, PANEL, LEFT, RIGHT, TOP, GAP] = [960, 120, 70, 170, 56, 46];
const COLOURS = ['#2563a8', '#c2571a', '#3d8a4e', '#7a4fa3'];
/** Points per line. */
const MOST_POINTS = 700;

/** @param {string} text */
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The smallest round number that is at least this one. @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return power * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10);
}

/** @param {number[]} times minutes @param {number[]} values @param {(time: number) => number} toX @param {(value: number) => number} toY */
function drawLine(times, values, toX, toY) {
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS));
  const points = [];
  // Of values that fall on one point only the highest is drawn: no peak is lost.
  for (let i = 0; i < values.length; i += step) points.push(`${toX(times[i]).toFixed(1)},${toY(Math.max(...values.slice(i, i + step))).toFixed(1)}`);
  return points.join(' ');
}

/** @param {Panel} panel @param {number[]} times @param {number} top @param {(time: number) => number} toX */
function drawPanel({ title, lines, unit }, times, top, toX) {
  const highest = roundUp(1.02 * Math.max(...lines.flatMap(({ values }) => values), 1e-9));
  const toY = (/** @type {number} */ value) => top + PANEL * (1 - value / highest);
  const grid = [0, 0.5, 1].map((share) => {
    const y = toY(share * highest);
    return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}" class="grid"/>`
      + `<text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${Number((share * highest).toPrecision(3))}</text>`;
  });
  const drawn = lines.map(({ name, values }, i) => {
    const last = toY(values[values.length - 1]);
    const label = lines.length === 1 ? last : top + 12 + 18 * i;
    return `<polyline points="${drawLine(times, values, toX, toY)}" stroke="${COLOURS[i]}"/>`
      + `<text x="${WIDTH - RIGHT + 10}" y="${Math.max(top + 8, Math.min(label, top + PANEL)) + 4}" fill="${COLOURS[i]}">${escape(name)}</text>`;
  });
  return `<text x="${LEFT}" y="${top - 10}" class="title">${escape(title)}, ${escape(unit)}</text>${grid.join('')}${drawn.join('')}`;
}

/**
 * @param {string} title @param {number[]} times minutes @param {Panel[]} panels
 * @returns {string}
 */
export function drawChart(title, times, panels) {
  const end = times[times.length - 1] || 1;
  const toX = (/** @type {number} */ time) => LEFT + ((WIDTH - LEFT - RIGHT) * time) / end;
  const height = TOP + panels.length * (PANEL + GAP) + 8;
  const bottom = height - GAP;
  const ticks = Array.from({ length: 7 }, (_, i) => (end * i) / 6).map((time) =>
    `<text x="${toX(time)}" y="${bottom + 14}" text-anchor="middle">${Number(time.toFixed(1))}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>.grid { stroke: #d8dce2 } polyline { fill: none; stroke-width: 1.4; stroke-linejoin: round } .title { font-weight: 600 } text:not([fill]) { fill: #2b3440 }</style>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${LEFT}" y="24" font-size="15" class="title">${escape(title)}</text>
${panels.map((panel, i) => drawPanel(panel, times, TOP + 6 + i * (PANEL + GAP), toX)).join('\n')}
${ticks.join('')}<text x="${WIDTH - RIGHT + 10}" y="${bottom + 14}">minutes</text>
</svg>
`;
}
