import { Alea } from '../alea.js';
import type { Element, Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/**
 * The largest buffer whose draws are those of TensorFlow.js when the dataset is smaller: it makes a promise for each place of
 * the buffer, and has no memory for more.
 */
const kMaxPadded = 2 ** 24;

/**
 * Elements drawn from the next `size`. The draws are TensorFlow.js's, for which the stream goes on behind its end with
 * places that hold nothing, and a drawn place is filled with the last one. Only places with elements take memory.
 */
export class ShuffleStage<T> extends SerialStage<T> {
  /** The first places; those behind them hold nothing. */
  readonly #places: (Element<T> | undefined)[] = [];
  readonly #random: Alea;
  #size: number;
  #left = 0;
  #sawEnd = false;

  constructor(
    private readonly upstream: Stage<T>,
    size: number,
    seed: string,
  ) {
    super();
    this.#size = size;
    this.#random = new Alea(seed);
  }

  protected override async read(): Promise<Element<T> | undefined> {
    await this.#fill();
    for (let size = this.#size; this.#left > 0; size--) {
      const drawn = this.#draw(size);
      if (!drawn) continue;
      this.#left--;
      return drawn;
    }
    return undefined;
  }

  async #fill(): Promise<void> {
    while (!this.#sawEnd && this.#places.length < this.#size) {
      const element = await this.upstream.next();
      if (element) {
        this.#places.push(element);
        this.#left++;
      } else {
        this.#sawEnd = true;
        if (this.#size > kMaxPadded) this.#size = Math.max(1, this.#places.length);
      }
    }
  }

  /** Takes what is at one of `size` places, and moves the last place there. */
  #draw(size: number): Element<T> | undefined {
    const place = Math.floor(this.#random.next() * size);
    const drawn = this.#places[place];
    const last = this.#places.length < size ? undefined : this.#places.pop();
    if (place < this.#places.length) this.#places[place] = last;
    return drawn;
  }
}
