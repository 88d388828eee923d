/** Random numbers determined by a seed and a position in its sequence: the same on every machine (mulberry32). */
export class Random {
  #state;

  constructor(seed, place = 0) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35)) | 0;
    for (let i = 0; i < 4; i++) this.next();
  }

  /** Returns a number from [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  /** Returns an integer from `least` to `most`, inclusive. */
  int(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }
  real(least, most) {
    return least + this.next() * (most - least);
  }
  chance(share) {
    return this.next() < share;
  }
  pick(list) {
    return list[Math.floor(this.next() * list.length)];
  }
  /** Returns the value of one of several `[weight, value]` pairs. */
  weighed(pairs) {
    let left = this.next() * pairs.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of pairs) {
      left -= weight;
      if (left < 0) return value;
    }
    return pairs.at(-1)[1];
  }
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
  list(length, one) {
    return Array.from({ length }, (_, i) => one(i));
  }
  shuffled(list) {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
}
