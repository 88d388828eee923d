import { Alea } from './alea.js';

/** Where a shuffle() has its seeds from: each pass draws two, of which the second may be left out. */
export class ShuffleSeeds {
  #random: Alea;
  #draws = 0;

  constructor(
    private seed: string,
    private readonly reshuffles: boolean,
  ) {
    this.#random = new Alea(seed);
  }

  get state(): { seed: string; draws: number } {
    return { seed: this.seed, draws: this.#draws };
  }
  moveTo({ seed, draws }: { seed: string; draws: number }): void {
    this.seed = seed;
    this.#random = new Alea(seed);
    for (this.#draws = 0; this.#draws < draws; this.#draws++) this.#random.next();
  }
  /** The seed of a pass. */
  next(): string {
    return String(this.#draw() + (this.reshuffles ? this.#draw() : 0));
  }

  #draw(): number {
    this.#draws++;
    return this.#random.int32();
  }
}
