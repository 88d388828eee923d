import { Collection, adopt, assertAdoptable, assertLive } from './holder.js';
import type { Tensor } from '../tensor/tensor.js';

/**
 * A list that owns its tensors: no scope frees them. at() and iteration return tensors that the list still owns, which live until
 * they are replaced or the list is disposed. pop() transfers ownership to the current scope or the caller.
 * @example
 * const frames = new tf.TensorList();
 * for (let i = 0; i < 3; i++) frames.push(tf.fill([2], i)); // the list's, whatever scope is around
 * frames.set(0, tf.ones([2])); // what was there is freed
 * frames.at(0); // [1, 1]
 * const last = frames.pop(); // [2, 2]
 * frames.dispose();
 * tf.memory().numTensors; // 1: pop() gave it away
 * last.dispose();
 */
export class TensorList extends Collection implements Iterable<Tensor> {
  readonly #tensors: Tensor[] = [];

  constructor(tensors: Iterable<Tensor> = []) {
    super('TensorList');
    const all = [...tensors];
    assertAdoptable('push', all);
    for (const tensor of all) this.push(tensor);
  }

  /** Number of tensors in the list. */
  get length(): number {
    return this.#tensors.length;
  }
  /** Returns the tensor at an index, which counts from the end if negative. Returns undefined if there is none. */
  at(index: number): Tensor | undefined {
    this.assertAlive('at');
    return this.#tensors.at(index);
  }
  /** Appends a tensor, which the list owns from then on. Throws DisposedError. */
  push(x: Tensor): void {
    this.assertAlive('push');
    this.#tensors.push(adopt('push', x));
  }
  /** Replaces the tensor at an index and frees the old one. Throws if there is none, and DisposedError. */
  set(index: number, x: Tensor): void {
    this.assertAlive('set');
    const old = this.#tensors[index];
    if (!old) throw new Error(`[set] index ${index} is out of range for a list of ${this.length}`);
    assertLive('set', x);
    if (x.id === old.id) return;
    this.#tensors[index] = adopt('set', x);
    old.dispose();
  }
  /** Removes and returns the last tensor, which then belongs to the current scope or, outside of scopes, to the caller. */
  pop(): Tensor | undefined {
    this.assertAlive('pop');
    const last = this.#tensors.at(-1);
    const result = last?.clone();
    this.#tensors.pop()?.dispose();
    return result;
  }
  override clear(): void {
    for (const tensor of this.#tensors.splice(0)) tensor.dispose();
  }
  [Symbol.iterator](): IterableIterator<Tensor> {
    this.assertAlive('Symbol.iterator');
    return this.#tensors[Symbol.iterator]();
  }
}
