import { Collection, adopt, assertAdoptable, assertLive } from './holder.js';
import type { Tensor } from '../tensor/tensor.js';

/**
 * A map that owns its tensors: no scope frees them. get() returns a tensor that the map still owns, which lives until it is
 * replaced or deleted, or the map is disposed. take() transfers ownership to the current scope or the caller.
 * @example
 * const state = new tf.TensorMap([['h', tf.zeros([2])]]);
 * for (let i = 0; i < 3; i++) {
 *   tf.tidy(() => state.set('h', state.get('h').add(1))); // the old one is freed
 * }
 * tf.memory().numTensors; // 1
 * const h = state.take('h'); // [3, 3]
 * tf.dispose([state, h]);
 */
export class TensorMap<K = string> extends Collection implements Iterable<[K, Tensor]> {
  readonly #tensors = new Map<K, Tensor>();

  constructor(entries: Iterable<readonly [K, Tensor]> = []) {
    super('TensorMap');
    const all = [...entries].map(([key, tensor]) => [key, tensor] as const);
    assertAdoptable(
      'set',
      all.map(([, tensor]) => tensor),
    );
    for (const [key, tensor] of all) this.set(key, tensor);
  }

  /** Number of tensors in the map. */
  get size(): number {
    return this.#tensors.size;
  }
  /** True if the map has a tensor for a key. */
  has(key: K): boolean {
    return this.#tensors.has(key);
  }
  /** Returns the tensor of a key, which the map still owns. Returns undefined if there is none. */
  get(key: K): Tensor | undefined {
    this.assertAlive('get');
    return this.#tensors.get(key);
  }
  /** Sets the tensor of a key, which the map owns from then on, and frees the old one. Throws DisposedError. */
  set(key: K, x: Tensor): this {
    this.assertAlive('set');
    assertLive('set', x);
    const old = this.#tensors.get(key);
    if (x.id === old?.id) return this;
    this.#tensors.set(key, adopt('set', x));
    old?.dispose();
    return this;
  }
  /** Removes and frees the tensor of a key. Returns false if there is none. */
  delete(key: K): boolean {
    this.#tensors.get(key)?.dispose();
    return this.#tensors.delete(key);
  }
  /** Removes and returns a tensor, which then belongs to the current scope or, outside of scopes, to the caller. */
  take(key: K): Tensor | undefined {
    const result = this.get(key)?.clone();
    this.delete(key);
    return result;
  }
  /** Returns the keys, in the order in which they were first set. */
  keys(): IterableIterator<K> {
    return this.#tensors.keys();
  }
  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key);
  }
  [Symbol.iterator](): IterableIterator<[K, Tensor]> {
    this.assertAlive('Symbol.iterator');
    return this.#tensors[Symbol.iterator]();
  }
}
