/** The table of arrivals: when each tenth of the agents has arrived, and in how many courses ours are later. */

/** The parts of the agents whose arrival is compared. */
const PARTS = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);
/** Times that differ by less are equal, seconds: a step. */
const STEP = 1 / 60 + 1e-6;

/** The time at which this part of the agents has arrived. @param {number[]} times sorted; Infinity: never @param {number} part */
export const timeOfPart = (times, part) => times[Math.ceil(part * times.length - 1e-9) - 1];

/** The number of courses in which this part arrives later with us. @param {number[][]} ours by course @param {number[][]} theirs @param {number} part */
export const countLater = (ours, theirs, part) => ours.filter((times, course) => {
  const [mine, other] = [timeOfPart(times, part), timeOfPart(theirs[course], part)];
  return mine !== other && mine > other + STEP;
}).length;

/** @param {number} seconds */
const show = (seconds) => (seconds < Infinity ? seconds.toFixed(1) : 'never');

/**
 * Agents of all courses are one crowd here.
 * @param {{ name: string, title: string, figures: Record<string, { arrivalsOfCourses: number[][] }> }} scenario
 * @returns {import('../tables.js').Table}
 */
export function arrivalTable({ name, title, figures }) {
  const rows = Object.entries(figures).map(([who, { arrivalsOfCourses }]) => {
    const times = arrivalsOfCourses.flat().sort((a, b) => a - b);
    return [who, ...PARTS.map((part) => show(timeOfPart(times, part)))];
  });
  const [ours, theirs] = ['walkmesh', 'recast-navigation'].map((who) => figures[who]?.arrivalsOfCourses);
  const later = ours && theirs ? [['courses in which ours are later', ...PARTS.map((part) => `${countLater(ours, theirs, part)} of ${ours.length}`)]] : [];
  return { title: `Crowd: ${name}, ${title}: seconds until this part has arrived`, rows: [['', ...PARTS.map((part) => `${Math.round(100 * part)} %`)], ...rows, ...later] };
}
