/**
 * The two sorts of a comparison: ours keeps equal keys in their order; the peer's C library sorts by smoothsort,
 * which does not. Both sort the same keys into the same order, so results differ only among ties.
 *
 * Source: E. W. Dijkstra, Smoothsort, an alternative for sorting in situ (EWD 796a, 1981), with the order
 * of comparisons that the C library of the peer's compiler uses, since that order decides where ties end up.
 */

/** @template T @param {T[]} list sorted in place, ties keep their order */
export function stableSort(list, compare) {
  list.sort(compare);
}

/** @template T @param {T[]} list sorted in place; ties have the order of smoothsort */
export function smoothSort(list, compare) {
  if (list.length > 1) new Smoothsort(list, compare).sort();
}

/** A forest of Leonardo heaps: bit i of `forest` is set if a heap of order `order` + i exists. */
class Smoothsort {
  constructor(list, compare) {
    this.list = list;
    this.compare = compare;
    this.leonardo = [1, 1];
    while (this.leonardo[this.leonardo.length - 1] < list.length) {
      this.leonardo.push(this.leonardo.at(-1) + this.leonardo.at(-2) + 1);
    }
    this.leonardo.push(this.leonardo.at(-1) + this.leonardo.at(-2) + 1);
    this.forest = 1n;
    this.order = 1;
  }

  sort() {
    const last = this.list.length - 1;
    for (let root = 0; root < last; root++) this.add(root, last);
    this.trinkle(last, this.forest, this.order, false);
    for (let root = last; this.order !== 1 || this.forest !== 1n; root--) this.remove(root);
  }

  add(root, last) {
    if ((this.forest & 3n) === 3n) {
      this.sift(root, this.order);
      this.shift(2);
    } else {
      if (this.leonardo[this.order - 1] >= last - root) this.trinkle(root, this.forest, this.order, false);
      else this.sift(root, this.order);
      this.shift(this.order === 1 ? -1 : 1 - this.order);
    }
    this.forest |= 1n;
  }

  remove(root) {
    if (this.order <= 1) {
      this.shift(trailingGap(this.forest));
      return;
    }
    this.forest = (this.forest << 2n) ^ 7n;
    this.order -= 2;
    this.trinkle(root - this.leonardo[this.order] - 1, this.forest >> 1n, this.order + 1, true);
    this.forest = ((this.forest >> 1n) << 1n) | 1n;
    this.trinkle(root - 1, this.forest, this.order, true);
  }

  shift(count) {
    this.order += count;
    this.forest = count >= 0 ? this.forest >> BigInt(count) : this.forest << BigInt(-count);
  }

  /** Restores the heap of order `order` below `root`. */
  sift(root, order) {
    const path = [root];
    let head = root;
    while (order > 1) {
      const right = head - 1;
      const left = head - 1 - this.leonardo[order - 2];
      if (this.compares(root, left) >= 0 && this.compares(root, right) >= 0) break;
      const goesLeft = this.compares(left, right) >= 0;
      head = goesLeft ? left : right;
      order -= goesLeft ? 1 : 2;
      path.push(head);
    }
    this.cycle(path);
  }

  /** Moves the root of the last heap to its sorted position among the roots, then down into that heap. */
  trinkle(root, forest, order, trusted) {
    const path = [root];
    let head = root;
    while (forest !== 1n) {
      const previous = head - this.leonardo[order];
      if (this.compares(previous, root) <= 0) break;
      if (!trusted && order > 1) {
        const left = head - 1 - this.leonardo[order - 2];
        if (this.compares(head - 1, previous) >= 0 || this.compares(left, previous) >= 0) break;
      }
      path.push(previous);
      head = previous;
      const gap = trailingGap(forest);
      forest >>= BigInt(gap);
      order += gap;
      trusted = false;
    }
    if (trusted) return;
    this.cycle(path);
    this.sift(head, order);
  }

  compares(a, b) {
    return this.compare(this.list[a], this.list[b]);
  }

  /** Rotates values along the path: each gets the value of the next, the last gets the first's. */
  cycle(path) {
    const first = this.list[path[0]];
    for (let i = 1; i < path.length; i++) this.list[path[i - 1]] = this.list[path[i]];
    this.list[path[path.length - 1]] = first;
  }
}

/** Distance from the lowest bit of a forest (which is set) to the next set bit. */
function trailingGap(forest) {
  let rest = forest - 1n;
  if (rest === 0n) return 0;
  let gap = 0;
  for (; (rest & 1n) === 0n; rest >>= 1n) gap++;
  return gap;
}
