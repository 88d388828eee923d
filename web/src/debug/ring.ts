/** A ring buffer of the last `capacity` items. */
export class Ring<T> {
  #items: T[] = [];
  #next = 0;

  constructor(readonly capacity: number) {}

  /** Adds an item. Returns the item that it overwrites, or undefined. */
  push(item: T): T | undefined {
    const old = this.#items[this.#next];
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
    return old;
  }

  /** Iterates over the items, the oldest first. */
  *[Symbol.iterator](): Iterator<T> {
    yield* this.#items.slice(this.#next);
    yield* this.#items.slice(0, this.#next);
  }
}
