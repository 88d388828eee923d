import { Alea } from '../alea.js';
import type { Element, Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/**
 * Maximum size of a buffer that is padded if the dataset is smaller, so that the draws are those of TensorFlow.js,
 * which makes a promise for each slot of the buffer, and has no memory for more.
 */
const kMaxPadded = 2 ** 24;

/**
 * Stage that draws elements from a buffer of the next `size`. The draws are those of TensorFlow.js, where empty slots
 * follow the end of the stream, and the last slot moves to the drawn one. Only slots with elements take memory.
 */
export class ShuffleStage<T> extends SerialStage<T> {
  /** The first slots of the buffer; those behind them are empty. */
  readonly #slots: (Element<T> | undefined)[] = [];
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
    while (!this.#sawEnd && this.#slots.length < this.#size) {
      const element = await this.upstream.next();
      if (element) {
        this.#slots.push(element);
        this.#left++;
      } else {
        this.#sawEnd = true;
        if (this.#size > kMaxPadded) this.#size = Math.max(1, this.#slots.length);
      }
    }
  }

  /**
   * Removes the element at a random one of `size` slots, and moves the last slot there. Returns undefined for an empty
   * slot.
   */
  #draw(size: number): Element<T> | undefined {
    const slot = Math.floor(this.#random.next() * size);
    const drawn = this.#slots[slot];
    const last = this.#slots.length < size ? undefined : this.#slots.pop();
    if (slot < this.#slots.length) this.#slots[slot] = last;
    return drawn;
  }
}
