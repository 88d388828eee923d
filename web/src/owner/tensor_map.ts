import { Collection, adopt, assertAdoptable, assertLive } from './holder.js';
import type { Tensor } from '../tensor/tensor.js';

/**
 * A map that owns its tensors: what is put in is the map's to free, and no scope's. What get() gives is lent, and lives
 * until it is replaced or deleted, or the map is disposed; take() gives it away.
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
    assertAdoptable('set', all.map(([, tensor]) => tensor));
    for (const [key, tensor] of all) this.set(key, tensor);
  }

  /** How many tensors it owns. */
  get size(): number {
    return this.#tensors.size;
  }
  /** Whether it has a tensor for a key. */
  has(key: K): boolean {
    return this.#tensors.has(key);
  }
  /** The tensor of a key, which stays the map's; undefined where there is none. */
  get(key: K): Tensor | undefined {
    this.assertAlive('get');
    return this.#tensors.get(key);
  }
  /** Takes a tensor in; the one that it replaces is freed. Throws DisposedError. */
  set(key: K, x: Tensor): this {
    this.assertAlive('set');
    assertLive('set', x);
    const old = this.#tensors.get(key);
    if (x.id === old?.id) return this;
    this.#tensors.set(key, adopt('set', x));
    old?.dispose();
    return this;
  }
  /** Frees the tensor of a key; false where there is none. */
  delete(key: K): boolean {
    this.#tensors.get(key)?.dispose();
    return this.#tensors.delete(key);
  }
  /** Takes a tensor out: from now on it belongs to the current scope or to you. */
  take(key: K): Tensor | undefined {
    const result = this.get(key)?.clone();
    this.delete(key);
    return result;
  }
  /** The keys, in the order in which they were first set. */
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
