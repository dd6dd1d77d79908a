/**
 * Estimates how many bits gzip needs for bytes that follow others: the search for repetitions is that of zlib at level 9; literals,
 * lengths and distances have fixed costs. This is many times faster than compressing.
 */

/** The largest distance that gzip refers back, bytes. */
const REACH = 32_506;
const LONGEST = 258, SHORTEST = 4;
const HASHES = 1 << 15;

/** The first length of each of zlib's symbols; lengthBits are the extra bits of a symbol. */
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258];
const lengthBits = (/** @type {number} */ symbol) => (symbol < 8 || symbol === 28 ? 0 : (symbol >> 2) - 1);
const symbolOf = LENGTHS.flatMap((first, symbol) => new Array((LENGTHS[symbol + 1] ?? first + 1) - first).fill(symbol));

/**
 * Costs in bits of literals (by byte), lengths, and distances (by their logarithm).
 * @typedef {{ literals: Float64Array, lengths: Float64Array, distances: Float64Array }} Costs
 */

/** Costs before any were learnt. @type {Costs} */
const ROUGH = {
  literals: new Float64Array(256).fill(7),
  lengths: Float64Array.from({ length: LONGEST + 1 }, (_, i) => 2.5 + Math.log2(i)),
  distances: Float64Array.from({ length: 16 }, (_, i) => 3 + Math.max(0, i - 1)),
};

/** Distance of the repetition that search() found; 0 if it found none. */
let foundDistance = 0;

/**
 * Finds the longest repetition along a chain of positions, the nearest of several. It gets all it needs as arguments, because packing
 * spends most of its time here.
 * @param {Uint8Array} buffer @param {Int32Array} earlier the chain: the next position of each @param {number} from its first position
 * @param {number} at @param {number} most bytes that may repeat @param {number} length the repetition must be longer
 * @returns {number} its length, or `length` if there is none
 */
function search(buffer, earlier, from, at, most, length) {
  const limit = Math.max(0, at - REACH);
  for (let place = from; place >= limit && length < most; place = earlier[place]) {
    if (place >= at || buffer[place + length] !== buffer[at + length]) continue;
    let k = 0;
    while (k < most && buffer[place + k] === buffer[at + k]) k++;
    if (k <= length) continue;
    length = k;
    foundDistance = at - place;
  }
  return length;
}

/** Bytes, the bytes before them, and the repetitions that gzip finds in them. */
export class Repetitions {
  /** The bytes before, then the bytes. */
  #buffer;
  #start;
  #end;
  /**
   * The last position of each hash; for each position below #inserted its hash and the previous position with the same hash. They
   * describe the bytes at the last settle().
   */
  #heads = new Int32Array(HASHES).fill(-1);
  #hashes;
  #earlier;
  #inserted = 0;
  /** The first position written since. */
  #written;
  /** The same for positions changed since, valid where #turns or #changed equals #turn. */
  #changedHeads = new Int32Array(HASHES);
  #changedEarlier;
  #turns = new Int32Array(HASHES);
  #changed;
  #turn = 0;
  /** For each position, the start of its literal or repetition, and the bits before that start. */
  #begins;
  #bits;

  /** @param {Uint8Array} before @param {Uint8Array} bytes @param {Costs} [costs] */
  constructor(before, bytes, costs = ROUGH) {
    this.costs = costs;
    this.#start = this.#written = before.length;
    const end = this.#end = before.length + bytes.length;
    this.#buffer = new Uint8Array(end + SHORTEST);
    this.#buffer.set(before);
    this.#buffer.set(bytes, before.length);
    this.#hashes = new Int32Array(end);
    this.#earlier = new Int32Array(end);
    this.#changedEarlier = new Int32Array(end);
    this.#changed = new Int32Array(end);
    this.#begins = new Int32Array(end + 1);
    this.#bits = new Float64Array(end + 1);
    this.#insertTo(this.#start);
  }

  /** @param {number} at */
  #hash(at) {
    const b = this.#buffer;
    return Math.imul(b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24, 0x9e3779b1) >>> 17;
  }

  /** @param {number} to */
  #insertTo(to) {
    const heads = this.#heads, hashes = this.#hashes, earlier = this.#earlier;
    for (let i = this.#inserted; i < to; i++) {
      const hash = this.#hash(i);
      hashes[i] = hash;
      earlier[i] = heads[hash];
      heads[hash] = i;
    }
    this.#inserted = to;
  }

  /** Undoes #insertTo, the last position first. @param {number} to */
  #removeTo(to) {
    const heads = this.#heads, hashes = this.#hashes, earlier = this.#earlier;
    for (let i = this.#inserted - 1; i >= to; i--) heads[hashes[i]] = earlier[i];
    this.#inserted = Math.min(this.#inserted, to);
  }

  /**
   * Finds the longest repetition at a position; stores its distance in foundDistance.
   * @param {number} at @param {number} length it must be longer
   */
  #find(at, length) {
    foundDistance = 0;
    const most = Math.min(LONGEST, this.#end - at);
    if (most <= length) return length;
    const buffer = this.#buffer, turn = this.#turn, hash = this.#hash(at);
    const from = this.#changed[at] === turn ? this.#heads[hash] : this.#earlier[at];
    const found = search(buffer, this.#earlier, from, at, most, length);
    return this.#turns[hash] === turn ? search(buffer, this.#changedEarlier, this.#changedHeads[hash], at, most, found) : found;
  }

  /** @param {number} place @param {number} value */
  write(place, value) {
    const at = this.#start + place;
    this.#buffer[at] = value;
    if (at < this.#written) this.#written = at;
  }

  /** The first position that may be parsed differently, because bytes from #written on have changed. */
  #firstToParse() {
    const begins = this.#begins;
    let at = this.#written - SHORTEST - 1;
    if (at <= this.#start) return this.#start;
    // Whether a byte is a literal may depend on repetitions after it, so parsing restarts at the end of a repetition.
    for (at = begins[at]; at > this.#start && begins[at - 1] === at - 1;) at--;
    return at;
  }

  /**
   * Parses the present bytes as zlib does at level 9; estimates start from here.
   * @param {(value: number, distance: number) => void} [report] called with a literal (distance 0) or the length of a repetition; only the
   *   first settle() reports all of them
   * @returns {number} bits of all bytes
   */
  settle(report) {
    const begins = this.#begins, bitsBefore = this.#bits, buffer = this.#buffer, end = this.#end;
    const { literals, lengths, distances } = this.costs;
    let at = this.#firstToParse(), bits = at > this.#start ? bitsBefore[at] : 0;
    this.#removeTo(Math.max(this.#start, this.#written - SHORTEST + 1));
    this.#insertTo(end);
    this.#written = end;
    this.#turn++;
    while (at < end) {
      let length = this.#find(at, SHORTEST - 1), distance = foundDistance;
      while (distance > 0) {
        const next = this.#find(at + 1, length);
        if (foundDistance === 0) break;
        begins[at] = at;
        bitsBefore[at] = bits;
        bits += literals[buffer[at]];
        report?.(buffer[at], 0);
        at++;
        [length, distance] = [next, foundDistance];
      }
      const value = distance > 0 ? length : buffer[at], after = distance > 0 ? at + length : at + 1;
      for (let i = at; i < after; i++) {
        begins[i] = at;
        bitsBefore[i] = bits;
      }
      bits += distance > 0 ? lengths[value] + distances[31 - Math.clz32(distance)] : literals[value];
      report?.(value, distance);
      at = after;
    }
    begins[end] = end;
    return bitsBefore[end] = bits;
  }

  /**
   * Estimates the bits of all bytes after some were written since settle(): parses only near these.
   * @param {ArrayLike<number>} places positions of written bytes, sorted
   */
  estimate(places) {
    const start = this.#start, end = this.#end, begins = this.#begins, buffer = this.#buffer, count = places.length;
    const { literals, lengths, distances } = this.costs;
    this.#markChanged(places);
    let bits = this.#bits[end];
    for (let next = 0, done = start; next < count;) {
      let at = Math.max(done, this.#beginAround(start + places[next]));
      bits += this.#bits[at];
      for (done = end; at < end;) {
        while (next < count && start + places[next] < at) next++;
        if (begins[at] === at && (next === count || this.#beginAround(start + places[next]) > at)) {
          done = at;
          break;
        }
        let length = this.#find(at, SHORTEST - 1), distance = foundDistance;
        while (distance > 0) {
          const longer = this.#find(at + 1, length);
          if (foundDistance === 0) break;
          bits += literals[buffer[at++]];
          [length, distance] = [longer, foundDistance];
        }
        bits += distance > 0 ? lengths[length] + distances[31 - Math.clz32(distance)] : literals[buffer[at]];
        at += distance > 0 ? length : 1;
      }
      if (done === end) next = count;
      bits -= this.#bits[done];
    }
    return bits;
  }

  /** The start of the second literal or repetition before a position. @param {number} place */
  #beginAround(place) {
    const begins = this.#begins, start = this.#start;
    return begins[Math.max(start, begins[Math.max(start, place - 1)] - 1)];
  }

  /** @param {ArrayLike<number>} places */
  #markChanged(places) {
    const turn = ++this.#turn;
    let done = this.#start;
    for (let k = 0; k < places.length; k++) {
      const last = this.#start + places[k];
      for (let i = Math.max(done, last - SHORTEST + 1); i <= last; i++) {
        const hash = this.#hash(i);
        this.#changedEarlier[i] = this.#turns[hash] === turn ? this.#changedHeads[hash] : -1;
        this.#changedHeads[hash] = i;
        this.#turns[hash] = turn;
        this.#changed[i] = turn;
      }
      done = last + 1;
    }
  }
}

/** Converts frequencies of symbols to bits per symbol. @param {Float64Array} counts @param {number} all */
const bitsOf = (counts, all) => counts.map((count) => Math.log2(all / Math.max(count, 0.5)));

/** Learns the costs of literals and repetitions from bytes like those to estimate. @param {Uint8Array} bytes @returns {Costs} */
export function learnCosts(bytes) {
  const literals = new Float64Array(256), lengths = new Float64Array(LENGTHS.length), distances = new Float64Array(16);
  let all = 0, matches = 0;
  for (let at = 0; at < bytes.length; at += 16_000) {
    const part = new Repetitions(bytes.subarray(Math.max(0, at - REACH), at), bytes.subarray(at, at + 16_000));
    part.settle((value, distance) => {
      all++;
      if (distance > 0) {
        matches++;
        lengths[symbolOf[value - 3]]++;
        distances[31 - Math.clz32(distance)]++;
      } else literals[value]++;
    });
  }
  const bitsOfLengths = bitsOf(lengths, all);
  return {
    literals: bitsOf(literals, all),
    lengths: Float64Array.from({ length: LONGEST + 1 }, (_, length) => {
      const symbol = symbolOf[Math.max(length - 3, 0)];
      return bitsOfLengths[symbol] + lengthBits(symbol);
    }),
    distances: bitsOf(distances, matches).map((bits, i) => bits + i),
  };
}
