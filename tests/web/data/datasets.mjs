// Datasets to test with, and what they hold.
import { test } from 'node:test';
import { leavesNothingAsync, tf } from '../expect.mjs';

const { data } = tf;
export const numbers = (count) => data.array(Array.from({ length: count }, (_, i) => i));
export const tensors = (count) =>
  data.generator(function* () {
    for (let i = 0; i < count; i++) yield { x: tf.fill([2, 2], i), y: i };
  });

/** Runs a test that fails if it leaves tensors, scopes or bytes. */
export const clean = (name, body) => test(name, () => leavesNothingAsync(body));

export async function valuesOf(dataset) {
  const values = [];
  await dataset.forEachAsync((value) => void values.push(plain(value)));
  return values;
}

export function plain(value) {
  if (value instanceof tf.Tensor) return value.arraySync();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]));
}
