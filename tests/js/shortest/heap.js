/** A binary heap, the least total first. */
export class Heap {
  #items = [];

  push(total, item) {
    const items = this.#items;
    let i = items.length;
    for (items.push({ total, item }); i > 0;) {
      const above = (i - 1) >> 1;
      if (items[above].total <= total) break;
      [items[i], items[above]] = [items[above], items[i]];
      i = above;
    }
  }

  pop() {
    const items = this.#items, top = items[0], moved = items.pop();
    if (items.length === 0) return top;
    items[0] = moved;
    for (let i = 0; ;) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) if (child < items.length && items[child].total < items[least].total) least = child;
      if (least === i) return top;
      [items[i], items[least]] = [items[least], items[i]];
      i = least;
    }
  }
}
