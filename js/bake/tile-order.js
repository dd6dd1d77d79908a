/** The order in which the tiles of a bake are given to its builders. A function of this module returns the next tile for a builder. */

/** @typedef {(builder: number) => number | undefined} NextTile the index of a tile for the builder with a number; undefined: none is left */

/** To all builders in the order of the grid, so that no finished tile waits long for earlier ones. @param {number} count of tiles @returns {NextTile} */
export function inGridOrder(count) {
  let next = 0;
  return () => (next < count ? next++ : undefined);
}

/**
 * To each builder a block of tiles that follow each other, so that few neighbours of its tiles are baked by others. A builder whose block
 * is done takes the second half of the longest rest.
 * @param {number} count of tiles @param {number} builders @returns {NextTile}
 */
export function inBlocks(count, builders) {
  const blocks = Array.from({ length: builders }, (_, i) => ({ next: Math.floor((i * count) / builders), end: Math.floor(((i + 1) * count) / builders) }));
  return (builder) => {
    const block = blocks[builder];
    if (block.next === block.end) {
      const longest = blocks.reduce((best, other) => (other.end - other.next > best.end - best.next ? other : best));
      if (longest.next === longest.end) return undefined;
      block.end = longest.end;
      longest.end -= Math.ceil((longest.end - longest.next) / 2);
      block.next = longest.end;
    }
    return block.next++;
  };
}
