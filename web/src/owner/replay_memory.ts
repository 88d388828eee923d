import { Collection, adopt } from './holder.js';
import { tensorsIn } from './scope.js';
import { Tensor } from '../tensor/tensor.js';

/** One step in a replay memory: tensors by name, and other values. */
export type Experience = Record<string, unknown>;

/** Options of ReplayMemory. */
export interface ReplayMemoryOptions {
  /** Seed of the random samples, the current time by default. The same seed and pushes yield the same samples. */
  seed?: number;
}

/**
 * A ring buffer of the last `capacity` steps of an agent, sampled in random order. Each slot owns new tensors on the buffers of
 * the pushed ones. Pushed tensors therefore stay yours, may be pushed again (`state = nextState`), and may be disposed at any
 * time. A push beyond the capacity frees the oldest slot only.
 * @example
 * const memory = new tf.ReplayMemory(2, { seed: 1 });
 * for (let i = 0; i < 5; i++) {
 *   tf.tidy(() => memory.push({ state: tf.fill([2], i), reward: i }));
 * }
 * memory.length; // 2: those before are freed
 * tf.memory().numTensors; // 2
 * memory.sample(2).map(({ reward }) => reward).sort(); // [3, 4]
 * memory.dispose();
 */
export class ReplayMemory<T extends Experience = Experience> extends Collection {
  /** Maximum number of steps. */
  readonly capacity: number;
  readonly #slots: T[] = [];
  readonly #owned: Tensor[][] = [];
  #next = 0;
  #state: number;

  /** Throws unless the capacity is a positive integer. */
  constructor(capacity: number, { seed = Date.now() }: ReplayMemoryOptions = {}) {
    super('ReplayMemory');
    if (!(Number.isInteger(capacity) && capacity > 0)) {
      throw new Error(`[ReplayMemory] expected a positive integer for its capacity, got ${capacity}`);
    }
    this.capacity = capacity;
    this.#state = seed | 0;
  }

  /** Number of steps in the memory. */
  get length(): number {
    return this.#slots.length;
  }

  /**
   * Adds a step, whose tensors may be nested in plain objects and arrays. Throws for tensors in other objects, and DisposedError
   * for a disposed tensor.
   * @example
   * const memory = new tf.ReplayMemory(10);
   * const state = tf.ones([2]);
   * memory.push({ state, action: 1 }); // a handle of its own: yours stays yours
   * state.dispose();
   * memory.length; // 1
   * memory.dispose();
   */
  push(step: T): void {
    this.assertAlive('push');
    const owned: Tensor[] = [];
    try {
      const slot = copyWithSharedTensors(step, owned) as T;
      // A getter of the step may have disposed this memory.
      this.assertAlive('push');
      for (const old of this.#owned[this.#next] ?? []) old.dispose();
      this.#slots[this.#next] = slot;
      this.#owned[this.#next] = owned;
      this.#next = (this.#next + 1) % this.capacity;
    } catch (error) {
      for (const tensor of owned) tensor.dispose();
      throw error;
    }
  }

  /**
   * Returns `count` different steps, drawn at random. The memory owns their tensors, which live until their slot is overwritten:
   * do not dispose them. Throws if the memory has fewer steps.
   */
  sample(count: number): T[] {
    this.assertAlive('sample');
    if (!(Number.isInteger(count) && count >= 0 && count <= this.length)) {
      throw new Error(`[sample] cannot draw ${count} different steps of ${this.length}`);
    }
    // Floyd's algorithm samples without replacement, uniformly, with one draw for each step.
    const drawn = new Set<number>();
    for (let last = this.length - count; last < this.length; last++) {
      const index = Math.floor(this.#random() * (last + 1));
      drawn.add(drawn.has(index) ? last : index);
    }
    return [...drawn].map((index) => this.#slots[index]!);
  }

  override clear(): void {
    for (const tensor of this.#owned.splice(0).flat()) tensor.dispose();
    this.#slots.length = 0;
    this.#next = 0;
  }

  /** Returns a random number in [0, 1): a mixed Weyl sequence, after SplitMix (Steele, Lea and Flood 2014). */
  #random(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }
}

/**
 * Returns a copy of nested plain objects and arrays, with new tensors on the same buffers, which are appended to `owned`. Throws
 * for tensors in other objects.
 */
function copyWithSharedTensors(value: unknown, owned: Tensor[]): unknown {
  if (value instanceof Tensor) {
    const own = adopt('push', value as Tensor, true);
    owned.push(own);
    return own;
  }
  if (Array.isArray(value)) return value.map((item) => copyWithSharedTensors(item, owned));
  if (typeof value !== 'object' || value === null) return value;
  if (!isPlain(value)) {
    if (tensorsIn(value).length === 0) return value;
    throw new Error('[push] the tensors of a step must be in plain objects and arrays');
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyWithSharedTensors(item, owned)]));
}

/** True for plain objects, also of another realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
