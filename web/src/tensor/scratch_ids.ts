import { kIdWords, scratch, writeId } from '../runtime/runtime.js';

/**
 * Writes the ids of tensors into the scratch words from `at`, 0 for a tensor that is not given, and returns the index of the
 * word after them. Ids outside the scratch are not written: the engine's call then throws.
 */
export function writeTensorIds(at: number, tensors: readonly ({ readonly id: number } | null | undefined)[]): number {
  const words = scratch();
  for (let i = 0; i < tensors.length; i++) writeId(words, at + kIdWords * i, tensors[i]?.id ?? 0);
  return at + kIdWords * tensors.length;
}
