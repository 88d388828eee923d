import { Alea } from '../alea.js';
import type { Element, Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/**
 * Elements drawn from the next `size`. The draws are TensorFlow.js's, for which the stream goes on behind its end with
 * places that hold nothing, and a drawn place is filled with the last one.
 */
export class ShuffleStage<T> extends SerialStage<T> {
  readonly #places: (Element<T> | undefined)[] = [];
  readonly #random: Alea;
  #sawEnd = false;

  constructor(
    private readonly upstream: Stage<T>,
    private readonly size: number,
    seed: string,
  ) {
    super();
    this.#random = new Alea(seed);
  }

  protected override async read(): Promise<Element<T> | undefined> {
    await this.#fill();
    while (this.#places.length > 0) {
      const drawn = this.#draw();
      if (drawn) return drawn;
    }
    return undefined;
  }

  async #fill(): Promise<void> {
    while (this.#places.length < this.size) {
      const element = this.#sawEnd ? undefined : await this.upstream.next();
      this.#sawEnd ||= !element;
      this.#places.push(element);
    }
  }

  #draw(): Element<T> | undefined {
    const place = Math.floor(this.#random.next() * this.#places.length);
    const drawn = this.#places[place];
    const last = this.#places.pop();
    if (place < this.#places.length) this.#places[place] = last;
    return drawn;
  }
}
