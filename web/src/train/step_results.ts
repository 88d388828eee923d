import { concat1d } from '../ops/movement/concat.js';
import { reshape } from '../ops/movement/reshape.js';
import { wasm } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';

/**
 * The results of a step: the total loss, the losses of several outputs and the metrics. A vector if they are only on the GPU, for
 * which the step does not wait; the caller frees it.
 */
export type StepResults = number[] | Tensor;

/** Returns the values of scalars, or a vector of them if one is only on the GPU. */
export function joinScalars(scalars: readonly Tensor[]): StepResults {
  const waits = scalars.some(({ id }) => wasm._tn_on_device(id) === 1);
  if (waits) return concat1d(scalars.map((one) => reshape(one, [1])));
  return scalars.map((one) => one.dataSync()[0]!);
}

/** Returns the numbers of results, or a promise of them if they are only on the GPU. Frees their tensor. */
export function readResults(results: StepResults): number[] | Promise<number[]> {
  if (Array.isArray(results)) return results;
  const reading = results.data();
  results.dispose();
  return reading.then((values) => [...values]);
}
