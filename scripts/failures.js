/** Reads what failed from the output of tests, so that `npm test` can say it again at its end. */

/** Lines of a message that are said again. */
const MOST_LINES = 12;

/** @param {string[]} lines @returns {string} the first lines, each further in than the name above */
const indent = (lines) => lines.slice(0, MOST_LINES).map((line) => `    ${line}`).join('\n');

/**
 * The failed tests of Node's TAP output: name, place and message of each. Tests that failed only since one within them did are left out.
 * @param {string} tap @returns {string[]}
 */
export function failuresInTap(tap) {
  return [...tap.matchAll(/^( *)not ok \d+ - (.*)\n\1 {2}---\n([^]*?)^\1 {2}\.\.\.$/gm)].flatMap(([, , name, details]) => {
    if (details.includes("failureType: 'subtestsFailed'")) return [];
    const place = /^ *location: '(.*)'$/m.exec(details)?.[1] ?? '';
    const [, space = '', first = ''] = /^( *)error: (.*)$/m.exec(details) ?? [];
    const block = first.startsWith('|') ? messageBlock(details, space) : [first];
    return [`${name}\n${indent([...(place ? [place] : []), ...block])}`];
  });
}

/** The lines of a message that is written as a block of several lines. @param {string} details @param {string} space before its key */
function messageBlock(details, space) {
  const lines = details.slice(details.indexOf(`${space}error: |`)).split('\n').slice(1);
  const end = lines.findIndex((line) => line.trim() !== '' && !line.startsWith(`${space}  `));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.trim()).filter(Boolean);
}

/** The failed tests that CTest lists at its end. @param {string} output @returns {string[]} */
export function failuresInCtest(output) {
  return [...output.matchAll(/^\s*\d+ - (\S+) \((?!Skipped|Not Run|Disabled)([^)]*)\)/gm)].map(([, name, why]) => `${name} (${why})`);
}

/** The end of what a command said. @param {string} output @returns {string} */
export const endOfOutput = (output) => indent(output.trimEnd().split('\n').slice(-MOST_LINES));
