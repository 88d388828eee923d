/** The last `capacity` things that were put in. */
export class Ring<T> {
  #items: T[] = [];
  #next = 0;

  constructor(readonly capacity: number) {}

  /** Gives what has to make room. */
  push(item: T): T | undefined {
    const old = this.#items[this.#next];
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
    return old;
  }

  /** The oldest first. */
  *[Symbol.iterator](): Iterator<T> {
    yield* this.#items.slice(this.#next);
    yield* this.#items.slice(0, this.#next);
  }
}
