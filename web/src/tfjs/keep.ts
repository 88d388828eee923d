import * as tf from '../index.js';

/**
 * Moves tensors to the caller, and sets their `kept`. Packages check `kept` for tensors that they must not free; the
 * converter, for weights and lists.
 */
export function keep<T extends tf.TensorContainer>(result: T): T {
  for (const tensor of tf.tensor_util.getTensorsInContainer(tf.keep(result))) Object.assign(tensor, { kept: true });
  return result;
}
