/**
 * Lists the mutants of a C file: small changes that a test should detect. It works on the text, so that most mutants compile; the
 * caller drops those that don't.
 */

/**
 * One change of a file.
 * @typedef {object} Mutant
 * @property {string} file path in the repository
 * @property {number} line counted from 1
 * @property {number} start offset of the replaced text
 * @property {number} end
 * @property {string} text the replacement, with the same number of line breaks
 * @property {string} kind
 */

const COMPARISONS = /** @type {Record<string, string[]>} */ ({
  '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='],
});
const SWAPS = /** @type {Record<string, string>} */ ({ '+': '-', '-': '+', '+=': '-=', '-=': '+=', '&&': '||', '||': '&&', true: 'false', false: 'true' });
const TOKEN = /[A-Za-z_]\w*|(?:\d|\.\d)(?:[eEpP][+-]|[\w.])*|<<=|>>=|<<|>>|->|\+\+|--|[-+*/%&|^<>=!]=|&&|\|\||[^\s\w]/g;
const INTEGER = /^(0[xX][\da-fA-F]+|\d+)([uUlL]*)$/;
/** Statements that tests can't observe, or that a release build leaves out. */
const UNTESTED_LINE = /\b(WM_ASSERT|_Static_assert|static_assert)\b/;
const HEADS = new Set(['if', 'while', 'for', 'switch']);
const NO_STATEMENTS = new Set(['return', 'break', 'continue', 'goto', 'case', 'default', 'do', 'else', 'typedef', 'enum', 'struct', 'union']);

/**
 * The text with comments, strings, preprocessor lines and assertions replaced by blanks: same length, same line breaks.
 * @param {string} source @returns {string}
 */
export function blankOut(source) {
  const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');
  return source
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g,
      (found) => (found[0] === '/' ? blank(found) : `"${blank(found.slice(2))}"`))
    .replace(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, blank)
    .replace(/^.*$/gm, (line) => (UNTESTED_LINE.test(line) ? blank(line) : line));
}

/** @typedef {{ text: string, at: number }} Token */

/** @param {string} code @returns {Token[]} */
const tokenize = (code) => [...code.matchAll(TOKEN)].map((match) => ({ text: match[0], at: match.index }));

/** The index of the matching bracket for each opening and each closing bracket. @param {Token[]} tokens */
function matchBrackets(tokens) {
  /** @type {Map<number, number>} */
  const partners = new Map();
  /** @type {number[]} */
  const open = [];
  tokens.forEach(({ text }, i) => {
    if ('([{'.includes(text)) open.push(i);
    else if (')]}'.includes(text)) {
      const start = open.pop();
      if (start === undefined) return;
      partners.set(start, i);
      partners.set(i, start);
    }
  });
  return partners;
}

/** True if the bracket at token i holds the length of a declared array. @param {Token[]} tokens @param {number} i */
function isLength(tokens, i) {
  let k = i - 1;
  while (k >= 0 && !/^[;{}(,=]$/.test(tokens[k].text)) k--;
  if (tokens[k]?.text === ',') {
    // One of several names in a declaration, or a function's parameter: an index would stand behind one name only.
    while (k >= 0 && !/^[;{}(]$/.test(tokens[k].text)) k--;
  }
  const words = tokens.slice(k + 1, i).map(({ text }) => text);
  return words[0] !== 'return' && /^(?:[A-Za-z_]\w* )+(?:\* )*[A-Za-z_]\w*/.test(words.join(' ')) && words.length > 1
    && /^[A-Za-z_]\w*$/.test(words[0]) && /^(?:\*|[A-Za-z_]\w*)$/.test(words[1]);
}

/**
 * All mutants of a file, in the order of their offsets.
 * @param {string} file @param {string} source @returns {Mutant[]}
 */
export function listMutants(file, source) {
  const code = blankOut(source);
  const tokens = tokenize(code);
  const partners = matchBrackets(tokens);
  /** @type {Mutant[]} */
  const mutants = [];
  /** @param {number} start @param {number} end @param {string} text @param {string} kind */
  const add = (start, end, text, kind) => {
    const line = source.slice(0, start).split('\n').length;
    mutants.push({ file, line, start, end, text: text + '\n'.repeat(source.slice(start, end).split('\n').length - text.split('\n').length), kind });
  };
  /** The text of tokens from `first` to `last`. @param {number} first @param {number} last */
  const textOf = (first, last) => source.slice(tokens[first].at, tokens[last].at + tokens[last].text.length);
  const isName = (/** @type {string | undefined} */ text) => text !== undefined && /^[A-Za-z_]/.test(text) && text !== 'return';
  const isOperand = (/** @type {string | undefined} */ text) => isName(text) || (text !== undefined && /^(?:[\d.]+.*|\)|\])$/.test(text));

  tokens.forEach(({ text, at }, i) => {
    const previous = tokens[i - 1]?.text, end = at + text.length;
    if (text in COMPARISONS) {
      for (const other of COMPARISONS[text]) add(at, end, other, 'comparison');
    } else if (text in SWAPS && (!'+-'.includes(text) || isOperand(previous))) {
      add(at, end, SWAPS[text], /^[tf]/.test(text) ? 'true/false' : /[+-]/.test(text) ? '+/-' : '&&/||');
    } else if (INTEGER.test(text)) {
      const bracket = previous === '[' && tokens[i + 1]?.text === ']' ? i - 1 : -1;
      if (bracket >= 0 && isLength(tokens, bracket)) return;
      const [, digits, suffix] = /** @type {RegExpExecArray} */ (INTEGER.exec(text));
      const value = BigInt(digits), radix = /^0[xX]/.test(digits) ? 16 : 10;
      const write = (/** @type {bigint} */ number) => (radix === 16 ? '0x' : '') + number.toString(radix) + suffix;
      add(at, end, write(value + 1n), 'constant');
      if (value > 0n) add(at, end, write(value - 1n), 'constant');
    } else if ((text === 'if' || text === 'while') && tokens[i + 1]?.text === '(') {
      const close = partners.get(i + 1);
      if (close !== undefined) add(tokens[i + 2].at, tokens[close].at, `!(${textOf(i + 2, close - 1)})`, 'negated condition');
    } else if (text === 'return') {
      let last = i;
      while (last + 1 < tokens.length && tokens[last + 1].text !== ';') last++;
      const what = last > i ? textOf(i + 1, last) : '';
      if (/\bWM_ERROR_|^(?:wm_)?fail\w*\s*\(/.test(what)) add(tokens[i + 1].at, tokens[last + 1].at, 'WM_OK', 'error to WM_OK');
    }
  });
  for (const [first, last] of findStatements(tokens, partners)) {
    add(tokens[first].at, tokens[last].at, '(void)0', 'deleted statement');
  }
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Finds assignments and calls that are statements: the indices of the first token and of the semicolon.
 * @param {Token[]} tokens @param {Map<number, number>} partners @returns {[number, number][]}
 */
function findStatements(tokens, partners) {
  /** @type {[number, number][]} */
  const found = [];
  let start = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { text } = tokens[i];
    const close = partners.get(i);
    if (text === '(' || text === '[') {
      if (close === undefined) continue;
      if (text === '(' && HEADS.has(tokens[i - 1]?.text)) start = close + 1;
      i = close;
    } else if (text === '{' && tokens[i - 1]?.text === '=' && close !== undefined) {
      i = close; // Values of an array or struct.
    } else if (text === '{' || text === '}' || text === 'else' || text === 'do') {
      start = i + 1;
    } else if (text === ';') {
      if (i > start && isEffect(tokens.slice(start, i).map((token) => token.text))) found.push([start, i]);
      start = i + 1;
    }
  }
  return found;
}

/** @param {string[]} words a statement @returns {boolean} true if it assigns or calls, and declares nothing */
function isEffect(words) {
  if (NO_STATEMENTS.has(words[0])) return false;
  if (words[0] === '++' || words[0] === '--' || words[0] === '*') return true;
  if (!/^[A-Za-z_]/.test(words[0])) return false;
  if (/^[A-Za-z_]/.test(words[1] ?? '') || words[1] === '*') return false;
  return words.includes('(') ? true : words.some((word) => /^(?:[-+*/%&|^]?=|<<=|>>=|\+\+|--)$/.test(word));
}

/** Applies a mutant. @param {string} source @param {Mutant} mutant */
export const apply = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end);

/** The line of a mutant before and after, shortened. @param {string} source @param {Mutant} mutant @returns {[string, string]} */
export function show(source, mutant) {
  const line = (/** @type {string} */ text) => text.split('\n')[mutant.line - 1].trim();
  const [before, after] = [line(source), line(apply(source, mutant))];
  return [before, after === '' ? '(nothing)' : after];
}

/** Seeded random numbers from 0 to 1 (mulberry32). @param {number} seed @returns {() => number} */
export function makeRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Mutants in random order, each once: a line is chosen first, all with equal probability, then one of its mutants.
 * @param {Mutant[]} mutants @param {number} seed @returns {Generator<Mutant>}
 */
export function* draw(mutants, seed) {
  const random = makeRandom(seed);
  /** @type {Map<string, Mutant[]>} */
  const lines = new Map();
  for (const mutant of mutants) {
    const key = `${mutant.file}:${mutant.line}`;
    lines.set(key, [...(lines.get(key) ?? []), mutant]);
  }
  const left = [...lines.values()];
  while (left.length > 0) {
    const k = Math.floor(random() * left.length);
    const [line] = left.splice(k, 1);
    yield line[Math.floor(random() * line.length)];
  }
}
