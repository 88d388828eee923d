/**
 * Johannes Baagøe's Alea, a generator of pseudo-random numbers in [0, 1). Its sequence for a seed is that of the
 * package seedrandom, by which TensorFlow.js shuffles.
 */
export class Alea {
  #s0: number;
  #s1: number;
  #s2: number;
  #carry = 1;

  constructor(seed: string) {
    const mash = createMash();
    const parts = [mash(' '), mash(' '), mash(' ')].map((part) => {
      const seeded = part - mash(seed);
      return seeded < 0 ? seeded + 1 : seeded;
    });
    [this.#s0, this.#s1, this.#s2] = parts as [number, number, number];
  }

  /** Returns the next number in [0, 1). */
  next(): number {
    const t = 2091639 * this.#s0 + this.#carry * 2 ** -32;
    this.#s0 = this.#s1;
    this.#s1 = this.#s2;
    this.#carry = Math.trunc(t);
    this.#s2 = t - this.#carry;
    return this.#s2;
  }

  /** Returns the next number as a signed integer of 32 bits. */
  int32(): number {
    return (this.next() * 2 ** 32) | 0;
  }
}

function createMash(): (data: string) => number {
  let n = 0xefc8249d;
  return (data) => {
    for (let i = 0; i < data.length; i++) {
      n += data.charCodeAt(i);
      let h = 0.02519603282416938 * n;
      n = h >>> 0;
      h -= n;
      h *= n;
      n = h >>> 0;
      h -= n;
      n += h * 2 ** 32;
    }
    return (n >>> 0) * 2 ** -32;
  };
}
