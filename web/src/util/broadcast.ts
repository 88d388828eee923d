// tf.broadcast_util

/**
 * Returns the dimensions of `inShape` along which it is broadcast to `outShape`.
 * @example
 * tf.broadcast_util.getBroadcastDims([1, 3], [2, 3]); // [0]
 */
export function getBroadcastDims(inShape: readonly number[], outShape: readonly number[]): number[] {
  const shift = outShape.length - inShape.length;
  return inShape.flatMap((extent, i) => (extent <= 1 && (outShape[i + shift] ?? 1) > 1 ? [i] : []));
}

/**
 * Returns the dimensions of `outShape` over which a gradient is summed to get back to `inShape`.
 * @example
 * tf.broadcast_util.getReductionAxes([3], [2, 3]); // [0]
 */
export function getReductionAxes(inShape: readonly number[], outShape: readonly number[]): number[] {
  const shift = outShape.length - inShape.length;
  return outShape.flatMap((extent, i) => (i < shift || (inShape[i - shift] === 1 && extent > 1) ? [i] : []));
}

/**
 * Returns the shape that both shapes broadcast to. Throws if they are incompatible.
 * @example
 * tf.broadcast_util.assertAndGetBroadcastShape([2, 1], [3]); // [2, 3]
 * tf.broadcast_util.assertAndGetBroadcastShape([2], [3]); // throws Error: Operands could not be broadcast together with shapes 2 and 3.
 */
export function assertAndGetBroadcastShape(shapeA: readonly number[], shapeB: readonly number[]): number[] {
  const rank = Math.max(shapeA.length, shapeB.length);
  return Array.from({ length: rank }, (_, i) => {
    const a = shapeA[i + shapeA.length - rank] ?? 1;
    const b = shapeB[i + shapeB.length - rank] ?? 1;
    if (a !== b && a !== 1 && b !== 1) {
      throw new Error(`Operands could not be broadcast together with shapes ${shapeA} and ${shapeB}.`);
    }
    return a === 1 ? b : a;
  });
}
