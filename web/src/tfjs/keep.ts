import * as tf from '../index.js';

/**
 * Gives tensors to the caller, and notes so in `kept`, by which packages know what is not theirs to free: the converter
 * knows weights and lists by it.
 */
export function keep<T extends tf.TensorContainer>(result: T): T {
  for (const tensor of tf.tensor_util.getTensorsInContainer(tf.keep(result))) Object.assign(tensor, { kept: true });
  return result;
}
