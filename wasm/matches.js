/**
 * What gzip makes of bytes after others, estimated: the same search for repetitions as zlib's at level 9, and fixed numbers
 * of bits for literals, lengths and distances. Many times as fast as compressing them.
 */

/** How far back gzip refers. */
const REACH = 32_506;
const LONGEST = 258, SHORTEST = 4;
const HASHES = 1 << 15;

/** The lengths that zlib's symbols begin at, and bits that follow them. */
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258];
const lengthBits = (/** @type {number} */ symbol) => (symbol < 8 || symbol === 28 ? 0 : (symbol >> 2) - 1);
const symbolOf = LENGTHS.flatMap((first, symbol) => new Array((LENGTHS[symbol + 1] ?? first + 1) - first).fill(symbol));

/**
 * Bits of literals (by byte), lengths and distances (by their logarithm).
 * @typedef {{ literals: Float64Array, lengths: Float64Array, distances: Float64Array }} Costs
 */

/** @type {Costs} of what is not known yet */
const ROUGH = {
  literals: new Float64Array(256).fill(7),
  lengths: Float64Array.from({ length: LONGEST + 1 }, (_, i) => 2.5 + Math.log2(i)),
  distances: Float64Array.from({ length: 16 }, (_, i) => 3 + Math.max(0, i - 1)),
};

/** Bytes, what stands before them, and the repetitions that gzip finds in them. */
export class Repetitions {
  /** What stands before, and the bytes. */
  #buffer;
  #start;
  #end;
  /** The last place of each hash, and for each place the one before it with the same hash, as the bytes were at last. */
  #heads = new Int32Array(HASHES).fill(-1);
  #headsBefore;
  #earlier;
  /** The same of places that have changed since, where #turns has the present turn. */
  #changedHeads = new Int32Array(HASHES);
  #changedEarlier;
  #turns = new Int32Array(HASHES);
  #changed;
  #turn = 0;
  /** For each place, where the literal or repetition over it begins, and the bits before that. */
  #begins;
  #bits;
  /** What #find found; distance 0: nothing. */
  #length = 0;
  #distance = 0;

  /** @param {Uint8Array} before @param {Uint8Array} bytes @param {Costs} [costs] */
  constructor(before, bytes, costs = ROUGH) {
    this.costs = costs;
    this.#start = before.length;
    const end = this.#end = before.length + bytes.length;
    this.#buffer = new Uint8Array(end + SHORTEST);
    this.#buffer.set(before);
    this.#buffer.set(bytes, before.length);
    this.#earlier = new Int32Array(end);
    this.#changedEarlier = new Int32Array(end);
    this.#changed = new Int32Array(end);
    this.#begins = new Int32Array(end + 1);
    this.#bits = new Float64Array(end + 1);
    this.#insert(0, this.#start);
    this.#headsBefore = this.#heads.slice();
  }

  /** @param {number} at */
  #hash(at) {
    const b = this.#buffer;
    return Math.imul(b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24, 0x9e3779b1) >>> 17;
  }

  /** @param {number} from @param {number} to */
  #insert(from, to) {
    for (let i = from; i < to; i++) {
      const hash = this.#hash(i);
      this.#earlier[i] = this.#heads[hash];
      this.#heads[hash] = i;
    }
  }

  /** The longest repetition at a place, of the nearest bytes. @param {number} at @param {number} length it must be longer */
  #find(at, length) {
    this.#distance = 0;
    const most = Math.min(LONGEST, this.#end - at), limit = Math.max(0, at - REACH);
    if (most <= length) return;
    const hash = this.#hash(at);
    this.#length = length;
    this.#follow(this.#changed[at] === this.#turn ? this.#heads[hash] : this.#earlier[at], this.#earlier, at, limit, most);
    if (this.#turns[hash] === this.#turn) this.#follow(this.#changedHeads[hash], this.#changedEarlier, at, limit, most);
  }

  /** @param {number} from @param {Int32Array} earlier @param {number} at @param {number} limit @param {number} most */
  #follow(from, earlier, at, limit, most) {
    const buffer = this.#buffer;
    let length = this.#length;
    for (let place = from; place >= limit && length < most; place = earlier[place]) {
      if (place >= at || buffer[place + length] !== buffer[at + length]) continue;
      let k = 0;
      while (k < most && buffer[place + k] === buffer[at + k]) k++;
      if (k <= length) continue;
      length = k;
      this.#distance = at - place;
    }
    this.#length = length;
  }

  /**
   * Parses as zlib does at level 9.
   * @param {number} from
   * @param {(value: number, distance: number, at: number) => void} report of a byte (distance 0) or a repetition's length
   * @param {(at: number) => boolean} isEnough asked between two of them
   */
  #parse(from, report, isEnough) {
    for (let at = from; at < this.#end && !isEnough(at);) {
      this.#find(at, SHORTEST - 1);
      if (this.#distance === 0) {
        report(this.#buffer[at], 0, at++);
        continue;
      }
      let length = this.#length, distance = this.#distance;
      for (this.#find(at + 1, length); this.#distance > 0; this.#find(at + 1, length)) {
        report(this.#buffer[at], 0, at++);
        [length, distance] = [this.#length, this.#distance];
      }
      report(length, distance, at);
      at += length;
    }
  }

  /** @param {number} value @param {number} distance */
  #cost(value, distance) {
    const { literals, lengths, distances } = this.costs;
    return distance === 0 ? literals[value] : lengths[value] + distances[31 - Math.clz32(distance)];
  }

  /** @param {number} place @param {number} value */
  write(place, value) {
    this.#buffer[this.#start + place] = value;
  }

  /**
   * Takes the bytes as they are now.
   * @param {(value: number, distance: number) => void} [report]
   * @returns {number} bits they take
   */
  settle(report) {
    this.#heads.set(this.#headsBefore);
    this.#insert(this.#start, this.#end);
    this.#turn++;
    let bits = 0;
    this.#parse(this.#start, (value, distance, at) => {
      const to = at + (distance > 0 ? value : 1);
      this.#begins.fill(at, at, to);
      this.#bits.fill(bits, at, to);
      bits += this.#cost(value, distance);
      report?.(value, distance);
    }, () => false);
    this.#begins[this.#end] = this.#end;
    this.#bits[this.#end] = bits;
    return bits;
  }

  /**
   * Bits that all bytes take, about, now that some have been written since settle(): parses only near those.
   * @param {number[]} places of these, in order
   */
  estimate(places) {
    const start = this.#start;
    this.#markChanged(places);
    let bits = this.#bits[this.#end], next = 0, done = start;
    const begin = (/** @type {number} */ place) => this.#begins[Math.max(start, place)];
    const beginOf = (/** @type {number} */ place) => begin(begin(place - 1) - 1);
    while (next < places.length) {
      const from = Math.max(done, beginOf(start + places[next]));
      bits += this.#bits[from];
      done = this.#end;
      this.#parse(from, (value, distance) => { bits += this.#cost(value, distance); }, (at) => {
        while (next < places.length && start + places[next] < at) next++;
        if (this.#begins[at] !== at || (next < places.length && beginOf(start + places[next]) <= at)) return false;
        done = at;
        return true;
      });
      if (done === this.#end) next = places.length;
      bits -= this.#bits[done];
    }
    return bits;
  }

  /** @param {number[]} places */
  #markChanged(places) {
    const turn = ++this.#turn;
    let done = this.#start;
    for (const place of places) {
      const last = this.#start + place;
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

/** Bits that symbols take which are as frequent as that. @param {Float64Array} counts @param {number} all */
const bitsOf = (counts, all) => counts.map((count) => Math.log2(all / Math.max(count, 0.5)));

/** What literals and repetitions take in bytes like these. @param {Uint8Array} bytes @returns {Costs} */
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
