// What tests share wherever they run: in Node with either build, and in pages.

/** Whether a number is as expected, but for `tolerance`, of 1 or of itself. To an infinity only itself is close. */
export function isClose(value, want, tolerance) {
  if (!Number.isFinite(want)) return Object.is(value, want);
  return Math.abs(value - want) <= tolerance * Math.max(1, Math.abs(want));
}

/** Waits until whatever is due has run. */
export const pause = () => new Promise((resolve) => setImmediate(resolve));

/** What there is of tensors and scopes. */
export function counts(tf) {
  const { numTensors, numDataBuffers, numBytes, detail } = tf.memory();
  return { numTensors, numDataBuffers, numBytes, scopes: detail.scopes };
}

/** The bytes that are taken for something, pools apart. */
export function inUse(tf) {
  const { heapUsed, cpuPool } = tf.memory().detail;
  return heapUsed - cpuPool;
}

/** Empties the pools, and says what there is of tensors, scopes and memory. */
export function held(tf) {
  tf.trim();
  const { numBytesInGPUAllocated = 0, detail } = tf.memory();
  return { ...counts(tf), numBytesInGPUAllocated, heapUsed: detail.heapUsed };
}
