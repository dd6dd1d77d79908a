/** Counts outcomes of many comparisons, and prints them as a table. */

import { ARRAY_STAGES } from './golden.js';

export class Tally {
  constructor() {
    this.statuses = new Map();
    this.findings = new Map(ARRAY_STAGES.map(([name]) => [name, new Map()]));
    this.findings.set('all', new Map());
    this.refusals = new Map();
    this.withPolygons = 0;
    this.total = 0;
    /** Outcomes without an explanation. */
    this.different = [];
  }

  /** @param {object} outcome from compareCase */
  add(outcome) {
    this.total++;
    count(this.statuses, outcome.status);
    if (outcome.hasPolygons) this.withPolygons++;
    if (outcome.status === 'refused') count(this.refusals, outcome.detail.replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, '#'));
    if (outcome.status === 'different') this.different.push(outcome);
    for (const [name, finding] of outcome.arrays) count(this.findings.get(name), finding);
  }

  /** @returns {string} */
  toTable() {
    const share = (map) => [...map].sort((a, b) => b[1] - a[1]).map(([key, n]) => `${n} ${key}`).join(', ');
    const rows = [`${this.total} cases: ${share(this.statuses)}; ${this.withPolygons} with polygons`];
    for (const [name, findings] of this.findings) {
      if (findings.size > 0) rows.push(`  ${name.padEnd(22)} ${share(findings)}`);
    }
    if (this.refusals.size > 0) rows.push(`  refused: ${share(this.refusals)}`);
    return rows.join('\n');
  }
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}
