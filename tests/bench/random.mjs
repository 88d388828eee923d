/** Returns `count` reproducible floats in [low, high), from a multiplicative generator that is the same in every process. */
export function randomFloats(count, seed, low = -1, high = 1) {
  let state = (Math.imul(seed, 0x9e3779b1) >>> 0) | 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + (high - low) * (state / 2 ** 32);
  });
}

export const sizeOf = (shape) => shape.reduce((size, length) => size * length, 1);
