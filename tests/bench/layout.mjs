import { sizeOf } from './random.mjs';

export const kToChannelsFirst = [0, 3, 1, 2];
export const kToChannelsLast = [0, 2, 3, 1];

/** Returns the values of a tensor with permuted axes, as tf.transpose does. */
export function permute(values, shape, order) {
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const lengths = order.map((axis) => shape[axis]);
  const steps = order.map((axis) => strides[axis]);
  const result = new Float32Array(values.length);
  let next = 0;
  const walk = (axis, offset) => {
    if (axis === lengths.length) {
      result[next++] = values[offset];
      return;
    }
    for (let i = 0; i < lengths[axis]; ++i) walk(axis + 1, offset + i * steps[axis]);
  };
  walk(0, 0);
  return { values: result, shape: lengths };
}
