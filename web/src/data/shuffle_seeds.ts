import { Alea } from './alea.js';

/** Seeds of a shuffle(). Each pass draws two numbers, or only one without reshuffling, as in TensorFlow.js. */
export class ShuffleSeeds {
  #random: Alea;
  #draws = 0;

  constructor(
    private seed: string,
    private readonly reshuffles: boolean,
  ) {
    this.#random = new Alea(seed);
  }

  /** The seed, and how many numbers were drawn. */
  get state(): { seed: string; draws: number } {
    return { seed: this.seed, draws: this.#draws };
  }
  /** Restores a state. */
  restore({ seed, draws }: { seed: string; draws: number }): void {
    this.seed = seed;
    this.#random = new Alea(seed);
    for (this.#draws = 0; this.#draws < draws; this.#draws++) this.#random.next();
  }
  /** Returns the seed of the next pass. */
  next(): string {
    return String(this.#draw() + (this.reshuffles ? this.#draw() : 0));
  }

  #draw(): number {
    this.#draws++;
    return this.#random.int32();
  }
}
