import * as tf from 'tenure';

/** Returns a picture as [1, height, width, 3] with values from 0 to 1. Throws if it is no picture of three channels. */
export function imageOf(input) {
  if (!(input instanceof tf.Tensor) || input.rank < 3 || input.rank > 4 || input.shape.at(-1) !== 3) {
    throw new Error(
      `expected a tensor of an image with three channels, got ${input?.shape ? `[${input.shape}]` : input}`,
    );
  }
  return tf.tidy(() => (input.rank === 3 ? input.expandDims(0) : input).toFloat().div(255));
}
