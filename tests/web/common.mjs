// Helpers that tests share in Node, with either build, and in pages.

/**
 * True if a number is within `tolerance` of the expected one, absolute below 1 and relative above. Only an infinity is close to
 * an infinity.
 */
export function isClose(value, want, tolerance) {
  if (!Number.isFinite(want)) return Object.is(value, want);
  return Math.abs(value - want) <= tolerance * Math.max(1, Math.abs(want));
}

/** Waits until pending callbacks have run. */
export const pause = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the number of tensors and scopes. */
export function counts(tf) {
  const { numTensors, numDataBuffers, numBytes, detail } = tf.memory();
  return { numTensors, numDataBuffers, numBytes, scopes: detail.scopes };
}

/** Returns the bytes in use, without pools. */
export function inUse(tf) {
  const { heapUsed, cpuPool } = tf.memory().detail;
  return heapUsed - cpuPool;
}

/** Empties the pools, and returns the numbers of tensors, scopes and bytes. */
export function held(tf) {
  tf.trim();
  const { numBytesInGPUAllocated = 0, detail } = tf.memory();
  return { ...counts(tf), numBytesInGPUAllocated, heapUsed: detail.heapUsed };
}
