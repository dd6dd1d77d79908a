/**
 * Checks that functions still do the same after packing: their instructions are the same, apart from alignments, and each read of a
 * local variable gets its value from the same writes. It reads the packed bytes again and uses no result of packing.
 */
import { ALIGNMENT, CALL, LOCAL, walk } from './module.js';
import { findWebs } from './webs.js';

/** @import { Func } from './module.js' */

/** The instructions without numbers of local variables and alignments. @param {Func} func @param {number[]} [newIndices] of functions */
function instructionsOf({ code }, newIndices) {
  /** @type {number[]} */
  const out = [];
  let done = 0;
  walk(code, (kind, from, to, value) => {
    if (kind !== LOCAL && kind !== CALL && kind !== ALIGNMENT) return;
    for (let i = done; i < from; i++) out.push(code[i]);
    if (kind === CALL) out.push(newIndices ? newIndices[value] : value);
    done = to;
  });
  for (let i = done; i < code.length; i++) out.push(code[i]);
  return out.join();
}

/**
 * Lists the accesses of local variables that share a value: a line per web, with its type, its initial value and the ordinals of its accesses.
 * @param {Func} func
 */
function dataFlowOf(func) {
  /** @type {Map<number, number>} */
  const ordinals = new Map();
  walk(func.code, (kind, from) => {
    if (kind === LOCAL) ordinals.set(from, ordinals.size);
  });
  return findWebs(func).map(({ type, number, isFixed, isZero, places }) =>
    `${type} ${isFixed ? `parameter ${number}` : isZero ? 'zero' : 'written'}: ${places.map((place) => ordinals.get(place))}`).join('\n');
}

/**
 * Throws if a function changed.
 * @param {Func[]} original functions of the module before packing
 * @param {Func[]} packed functions of the packed module
 * @param {number[]} order positions in `original`, in the order of `packed`
 * @param {number[]} newIndices the new index of each function, imported ones first
 */
export function verifyFunctions(original, packed, order, newIndices) {
  if (packed.length !== original.length || new Set(order).size !== original.length) throw new Error('packing lost or added a function');
  packed.forEach((after, i) => {
    const before = original[order[i]];
    if (after.type !== before.type || instructionsOf(after) !== instructionsOf(before, newIndices)) {
      throw new Error(`packing changed the instructions of function ${order[i]}`);
    }
    if (dataFlowOf(after) !== dataFlowOf(before)) throw new Error(`packing mixed up local variables of function ${order[i]}`);
  });
}
