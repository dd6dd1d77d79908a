/** Counts the findings of a comparison of queries (queries.js), and prints them. */

/** @typedef {import('./queries.js').QueryOutcome} QueryOutcome */

/** Counts findings over scenes, and prints them as a table. */
export class QueryTally {
  kinds = new Map();
  statuses = new Map();
  faults = [];
  scenes = { tiled: 0, connections: 0, costs: 0, polygons: 0, exchanges: new Map() };

  get compared() {
    return this.statuses.get('compared') ?? 0;
  }

  get questions() {
    return [...this.kinds.values()].flatMap((findings) => [...findings.values()]).reduce((sum, count) => sum + count, 0);
  }

  /** @param {QueryOutcome} outcome */
  add({ seed, status, kinds, faults, scene }) {
    increase(this.statuses, status);
    for (const [kind, findings] of kinds) {
      if (!this.kinds.has(kind)) this.kinds.set(kind, new Map());
      for (const [finding, count] of findings) increase(this.kinds.get(kind), finding, count);
    }
    this.faults.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
    if (!scene) return;
    this.scenes.tiled += scene.tiled ? 1 : 0;
    this.scenes.connections += scene.connections > 0 ? 1 : 0;
    this.scenes.costs += scene.costs ? 1 : 0;
    this.scenes.polygons += scene.polygons;
    increase(this.scenes.exchanges, scene.exchange);
  }

  /** @returns {string} */
  toTable() {
    const { tiled, connections, costs, polygons, exchanges } = this.scenes;
    const list = (map) => [...map].sort((a, b) => b[1] - a[1]).map(([key, count]) => `${count} ${key}`).join(', ');
    const rows = [`${list(this.statuses)}; ${tiled} tiled, ${connections} with off-mesh connections, ${costs} with costs, ${polygons} polygons`,
      `exchanged: ${list(exchanges)}`];
    for (const [kind, findings] of this.kinds) {
      const total = [...findings.values()].reduce((sum, count) => sum + count, 0);
      const same = findings.get('equal') ?? 0;
      const others = list([...findings].filter(([finding]) => finding !== 'equal'));
      rows.push(`  ${kind.padEnd(26)}${String(total).padStart(8)}  ${((same / total) * 100).toFixed(3).padStart(7)} % equal  ${others}`.trimEnd());
    }
    return rows.join('\n');
  }
}

function increase(map, key, count = 1) {
  map.set(key, (map.get(key) ?? 0) + count);
}
