/**
 * An SVG drawing: the level seen from the front and above, without perspective. Points are x, y, z in world units, y up; later
 * shapes cover earlier ones.
 */

const YAW = Math.PI * 24 / 180;
const PITCH = Math.PI * 48 / 180;
const [COS_YAW, SIN_YAW, COS_PITCH, SIN_PITCH] = [Math.cos(YAW), Math.sin(YAW), Math.cos(PITCH), Math.sin(PITCH)];
const PIXELS_A_METRE = 42;
const MARGIN = 22;
const LEGEND_HEIGHT = 40;

/** Colours of the level, the same in all pictures. */
export const COLOURS = Object.freeze({
  paper: '#fbfaf7', ink: '#2e3440', faint: '#c9c6bd', ground: '#e9e6de', solid: '#d3cfc4',
  walkable: '#7fb69b', blocked: '#b9b3a6', removed: '#e0804f', ledge: '#8a78c0', regained: '#3d7fbf', mud: '#b08a4a',
  path: '#c8283c', link: '#2f63b8',
});

/** Colours of regions, used in turn. */
export const REGION_COLOURS = Object.freeze(['#7fb69b', '#e3b25f', '#7ea6d8', '#cf8fa6', '#a9bf6a', '#9d8fcb', '#6fbcc0']);

/** Darkens a colour. @param {string} colour as #rrggbb @param {number} share 0 to 1: the remaining brightness */
export function shade(colour, share) {
  const channels = [1, 3, 5].map((at) => Math.round(share * parseInt(colour.slice(at, at + 2), 16)));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes two colours. @param {string} from @param {string} to @param {number} share 0 to 1 */
export function blend(from, to, share) {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * share);
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** @param {number} value */
const round = (value) => String(Math.round(10 * value) / 10);

/** @param {Record<string, string | number>} attributes */
const write = (attributes) => Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`).join('');

export class Canvas {
  /**
   * Elements in drawing order; consecutive elements of one look share one path.
   * @type {{ look: string, path: string, element: string }[]}
   */
  #elements = [];
  /** Looks, each with its CSS class. @type {string[]} */
  #looks = [];
  /** @type {{ colour: string, text: string, kind: 'fill' | 'line' }[]} */
  #legend = [];
  #title;
  #left;
  #top;
  #width;
  #height;

  /**
   * @param {string} title read out by screen readers
   * @param {ArrayLike<number>} low corner of the drawing @param {ArrayLike<number>} high
   */
  constructor(title, low, high) {
    this.#title = title;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => Canvas.#project(
      (bits & 1 ? high : low)[0], (bits & 2 ? high : low)[1], (bits & 4 ? high : low)[2]));
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
    this.#left = Math.min(...xs) - MARGIN;
    this.#top = Math.min(...ys) - MARGIN;
    this.#width = Math.max(...xs) - this.#left + MARGIN;
    this.#height = Math.max(...ys) - this.#top + MARGIN + LEGEND_HEIGHT;
  }

  /** @param {number} x @param {number} y @param {number} z */
  static #project(x, y, z) {
    const depth = x * SIN_YAW + z * COS_YAW;
    return [PIXELS_A_METRE * (x * COS_YAW - z * SIN_YAW), PIXELS_A_METRE * (depth * SIN_PITCH - y * COS_PITCH)];
  }

  /** The distance from the far edge: larger is nearer to the viewer. @param {ArrayLike<number>} point on the ground */
  static depthOf(point) {
    return point[0] * SIN_YAW + point[2] * COS_YAW;
  }

  /** The half of a circle on the ground that faces the viewer, from left to right. @param {ArrayLike<number>} centre @param {number} radius */
  static frontOf(centre, radius) {
    return Array.from({ length: 13 }, (_, i) => Math.PI * (1 - i / 12) - YAW)
      .map((angle) => [centre[0] + radius * Math.cos(angle), centre[1], centre[2] + radius * Math.sin(angle)]);
  }

  /** True if a face with this normal is visible. @param {number[]} normal */
  static isSeen([x, y, z]) {
    return (x * SIN_YAW + z * COS_YAW) * COS_PITCH + y * SIN_PITCH > 1e-6;
  }

  /** Path commands from point to point. @param {ArrayLike<number>[]} points */
  #outline(points) {
    let [lastX, lastY] = [0, 0];
    return points.map((point, i) => {
      const [px, py] = Canvas.#project(point[0], point[1], point[2]);
      const [x, y] = [Math.round(10 * (px - this.#left)), Math.round(10 * (py - this.#top))];
      const step = `${i ? 'l' : 'M'}${(x - lastX) / 10} ${(y - lastY) / 10}`;
      [lastX, lastY] = [x, y];
      return step.replace(' -', '-');
    }).join('');
  }

  /** @param {Record<string, string | number>} look properties of CSS @param {string} path */
  #draw(look, path) {
    const text = Object.entries(look).map(([name, value]) => `${name}:${value}`).join(';');
    const last = this.#elements.at(-1);
    if (last?.look === text) last.path += path;
    else this.#elements.push({ look: text, path, element: '' });
  }

  /** @param {ArrayLike<number>[]} points @param {string} fill @param {Record<string, string | number>} [look] */
  polygon(points, fill, look = {}) {
    this.#draw({ fill, ...look }, `${this.#outline(points)}z`);
  }

  /**
   * Several lines with one stroke.
   * @param {ArrayLike<number>[][]} lines @param {string} stroke @param {number} width
   * @param {Record<string, string | number>} [look]
   */
  lines(lines, stroke, width, look = {}) {
    const path = lines.map((line) => this.#outline(line)).join('');
    if (path) this.#draw({ fill: 'none', stroke, 'stroke-width': width, ...look }, path);
  }

  /**
   * @param {ArrayLike<number>} point @param {number} radius pixels @param {string} fill
   * @param {Record<string, string | number>} [attributes]
   */
  dot(point, radius, fill, attributes = {}) {
    const [x, y] = Canvas.#project(point[0], point[1], point[2]);
    const centre = `cx="${round(x - this.#left)}" cy="${round(y - this.#top)}"`;
    const element = `<circle ${centre} r="${radius}" fill="${fill}"${write(attributes)}/>`;
    this.#elements.push({ look: '', path: '', element });
  }

  /** Adds a line to the legend. @param {string} colour @param {string} text @param {'fill' | 'line'} [kind] */
  legend(colour, text, kind = 'fill') {
    this.#legend.push({ colour, text, kind });
  }

  /** @param {string} look */
  #classOf(look) {
    const index = this.#looks.indexOf(look);
    return `c${index < 0 ? this.#looks.push(look) - 1 : index}`;
  }

  /** @returns {string} */
  toString() {
    const [width, height] = [Math.ceil(this.#width), Math.ceil(this.#height)];
    let x = MARGIN;
    const y = height - LEGEND_HEIGHT / 2;
    const legend = this.#legend.map(({ colour, text, kind }) => {
      const mark = kind === 'fill' ? `<rect x="${x}" y="${y - 7}" width="14" height="14" rx="2" fill="${colour}"/>`
        : `<path d="M${x} ${y}h18" stroke="${colour}" stroke-width="3"/>`;
      const label = `<text x="${x + 22}" y="${y + 5}">${text}</text>`;
      x += 44 + Math.round(7.5 * text.length);
      return mark + label;
    });
    const drawn = this.#elements.map(({ look, path, element }) => element
      || `<path class="${this.#classOf(look)}" d="${path}"/>`);
    const classes = this.#looks.map((look, i) => `.c${i}{${look}}`).join('\n');
    const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>${this.#title}</title>
<style>path{stroke-linejoin:round;stroke-linecap:round}text{font:14px system-ui,sans-serif;fill:${COLOURS.ink}}
${classes}</style>
<rect width="100%" height="100%" rx="6" fill="${COLOURS.paper}"/>
${[...drawn, ...legend].join('\n')}
</svg>
`;
  }
}
