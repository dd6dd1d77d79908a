/**
 * Finds the webs of a function. A web is a set of writes and reads of a local variable: writes that reach a common read belong to the
 * same web, as does that read. Compilers let unrelated webs share a variable. Each web can have any variable of its type, except that
 * webs which are live at the same time need different ones.
 */
import { ELSE, END, FORK, IF, JUMP, LOCAL, LOOP, OPEN, STOP, walk } from './module.js';

/**
 * @typedef {object} Web
 * @property {number} index position in the list of webs
 * @property {number} type
 * @property {number} number number of its variable
 * @property {boolean} isFixed starts as a parameter, so its number can't change
 * @property {boolean} isZero starts as the initial 0 of variables, so it can't have a parameter's number
 * @property {number[]} places positions of its variable's number in the code
 * @property {number[]} encoded the same positions in the encoded function
 * @property {Set<Web>} neighbours webs that are live at the same time
 *
 * @typedef {{ local: number, place: number, reads: boolean, node: number }} Access
 * @typedef {object} Block
 * @property {Access[]} accesses
 * @property {Block[]} next
 * @property {Block[]} before
 * @property {Int32Array} first each variable's node at the start of the block
 * @property {Int32Array} last each variable's node at its end
 * @property {Set<number>} live variables that are read after its start before they are written
 */

const NONE = new Int32Array(0);

/** Cuts code into blocks without jumps; the first starts the function. @param {Uint8Array} code @returns {Block[]} */
function readBlocks(code) {
  /** @type {Block[]} */
  const blocks = [];
  const open = () => {
    blocks.push({ accesses: [], next: [], before: [], first: NONE, last: NONE, live: new Set() });
    return blocks[blocks.length - 1];
  };
  let block = open();
  const exit = open();
  /**
   * Per open label: the target of jumps, the block after its end, and the block before an `if`, from which a false condition jumps.
   * @type {{ target: Block, after: Block | null, otherwise: Block | null }[]}
   */
  const labels = [{ target: exit, after: exit, otherwise: null }];
  walk(code, (kind, from, to, value) => {
    if (kind === LOCAL) block.accesses.push({ local: value, place: from, reads: code[from - 1] === 0x20, node: -1 });
    else if (kind === OPEN) {
      const after = open();
      labels.push({ target: after, after, otherwise: null });
    } else if (kind === LOOP) {
      const head = open();
      block.next.push(head);
      block = head;
      labels.push({ target: head, after: null, otherwise: null });
    } else if (kind === IF) {
      const after = open(), then = open();
      labels.push({ target: after, after, otherwise: block });
      block.next.push(then);
      block = then;
    } else if (kind === ELSE) {
      const label = labels[labels.length - 1];
      block.next.push(label.target);
      block = open();
      label.otherwise?.next.push(block);
      label.otherwise = null;
    } else if (kind === END) {
      const label = labels.pop();
      if (!label) throw new Error('an end too many');
      if (label.after) {
        block.next.push(label.after);
        label.otherwise?.next.push(label.after);
        block = label.after;
      }
    } else if (kind === FORK || kind === JUMP) {
      block.next.push(labels[labels.length - 1 - value].target);
      const next = open();
      if (kind === FORK) block.next.push(next);
      block = next;
    } else if (kind === STOP) block = open();
  });
  return blocks;
}

/** Finds the variables that are live at the start of each block. @param {Block[]} blocks */
function findLive(blocks) {
  for (const block of blocks) for (const next of block.next) next.before.push(block);
  const queue = new Set([...blocks].reverse());
  for (const block of queue) {
    queue.delete(block);
    const live = new Set(block.next.flatMap((next) => [...next.live]));
    for (let i = block.accesses.length - 1; i >= 0; i--) {
      const { local, reads } = block.accesses[i];
      if (reads) live.add(local);
      else live.delete(local);
    }
    if (live.size === block.live.size) continue;
    block.live = live;
    for (const before of block.before) queue.add(before);
  }
}

/** @param {import('./module.js').Func} func @returns {Web[]} sorted by their first positions */
export function findWebs(func) {
  const types = [...func.paramTypes, ...func.locals];
  const blocks = readBlocks(func.code);
  findLive(blocks);
  /** @type {number[]} */
  const parent = [];
  /** @type {number[]} */
  const locals = [];
  const addNode = (/** @type {number} */ local) => {
    locals.push(local);
    return parent.push(parent.length) - 1;
  };
  const find = (/** @type {number} */ node) => {
    while (parent[node] !== node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const block of blocks) {
    block.first = new Int32Array(types.length).fill(-1);
    for (const local of block.live) block.first[local] = addNode(local);
    block.last = block.first.slice();
    for (const access of block.accesses) {
      if (!access.reads) block.last[access.local] = addNode(access.local);
      access.node = block.last[access.local];
    }
  }
  for (const block of blocks) {
    for (const next of block.next) for (const local of next.live) parent[find(block.last[local])] = find(next.first[local]);
  }

  /** @type {Map<number, Web>} */
  const webs = new Map();
  const webOf = (/** @type {number} */ node) => {
    const root = find(node);
    let web = webs.get(root);
    if (!web) {
      const number = locals[root];
      web = { index: -1, type: types[number], number, isFixed: false, isZero: false, places: [], encoded: [], neighbours: new Set() };
      webs.set(root, web);
    }
    return web;
  };
  const meet = (/** @type {Web} */ a, /** @type {Web} */ b) => {
    if (a === b) return;
    a.neighbours.add(b);
    b.neighbours.add(a);
  };
  const atFirst = [...blocks[0].live].map((local) => {
    const web = webOf(blocks[0].first[local]);
    if (local < func.params) web.isFixed = true;
    else web.isZero = true;
    return web;
  });
  for (const a of atFirst) for (const b of atFirst) meet(a, b);
  for (const block of blocks) {
    const live = new Map([...new Set(block.next.flatMap((next) => [...next.live]))]
      .map((local) => [local, webOf(block.last[local])]));
    for (let i = block.accesses.length - 1; i >= 0; i--) {
      const { local, place, reads, node } = block.accesses[i];
      const web = webOf(node);
      web.places.push(place);
      if (reads) live.set(local, web);
      else {
        live.delete(local);
        for (const other of live.values()) meet(web, other);
      }
    }
  }
  const list = [...webs.values()].filter(({ places }) => places.length > 0);
  for (const { places } of list) places.sort((a, b) => a - b);
  list.sort((a, b) => a.places[0] - b.places[0]);
  list.forEach((web, i) => { web.index = i; });
  return list;
}
