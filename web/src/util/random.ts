import { assert } from './checks.js';

/**
 * Shuffles a list in place (Fisher and Yates).
 * @example
 * const list = [1, 2, 3];
 * tf.util.shuffle(list);
 * list.sort(); // [1, 2, 3]
 */
export function shuffle(list: unknown[] | Uint32Array | Int32Array | Float32Array): void {
  shuffleTogether([list as unknown[]]);
}

/**
 * Shuffles two lists in place, by the same permutation. Throws if their lengths differ.
 * @example
 * const [names, numbers] = [['a', 'b'], [1, 2]];
 * tf.util.shuffleCombo(names, numbers);
 * numbers[names.indexOf('b')]; // 2
 */
export function shuffleCombo(a: unknown[], b: unknown[]): void {
  assert(
    a.length === b.length,
    () =>
      `Array sizes must match to be shuffled together First array length was ${a.length}Second array length was ${b.length}`,
  );
  shuffleTogether([a, b]);
}

function shuffleTogether(lists: unknown[][]): void {
  for (let i = lists[0]!.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    for (const list of lists) swap(list, i, j);
  }
}

/**
 * Returns the integers 0 to n - 1 in random order.
 * @example
 * tf.util.createShuffledIndices(3).sort(); // [0, 1, 2]
 */
export function createShuffledIndices(n: number): Uint32Array {
  const indices = Uint32Array.from({ length: n }, (_, i) => i);
  shuffle(indices);
  return indices;
}

/**
 * Swaps two elements of a list, in place.
 * @param list List.
 * @param left Index of an element.
 * @param right Index of the other element.
 * @example
 * const list = [1, 2, 3];
 * tf.util.swap(list, 0, 2);
 * list; // [3, 2, 1]
 */
export function swap<T>(list: { [index: number]: T }, left: number, right: number): void {
  const kept = list[left]!;
  list[left] = list[right]!;
  list[right] = kept;
}

/**
 * Returns a random number, uniformly distributed over [a, b).
 * @example
 * tf.util.randUniform(2, 3) >= 2; // true
 */
export function randUniform(a: number, b: number): number {
  const share = Math.random();
  return b * share + (1 - share) * a;
}
