/** Objects by the numbers that the engine knows them by, from 1 to 2 ** 32 - 1, which come back as signed integers. */
export class Handles<T> {
  readonly #objects = new Map<number, T>();
  #last: number;

  /** `last` is the handle before the first. */
  constructor(last = 0) {
    this.#last = last;
  }

  add(object: T): number {
    do this.#last = (this.#last + 1) >>> 0;
    while (this.#last === 0 || this.#objects.has(this.#last));
    this.#objects.set(this.#last, object);
    return this.#last;
  }
  get(handle: number): T {
    const object = this.#objects.get(handle >>> 0);
    if (!object) throw new Error('[webgpu] the engine passed an unknown object');
    return object;
  }
  values(): Iterable<T> {
    return this.#objects.values();
  }
  take(handle: number): T {
    const object = this.get(handle);
    this.#objects.delete(handle >>> 0);
    return object;
  }
}
