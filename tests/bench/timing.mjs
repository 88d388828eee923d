/** A page's clock may tick only ten times a millisecond: half a percent of this. */
const kBatchMs = 20;
const kMinBatches = 3;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the milliseconds of one call: the median of batches that are long enough for the clock. */
export async function timeCalls(call, budgetMs) {
  const batch = async (count) => {
    const start = performance.now();
    for (let i = 0; i < count; ++i) {
      // Awaiting a value that is no promise would charge a synchronous engine for a turn of the event loop.
      const pending = call();
      if (pending) await pending;
    }
    return performance.now() - start;
  };
  const deadline = performance.now() + budgetMs;
  let count = 1;
  for (let elapsed = await batch(count); elapsed < kBatchMs; elapsed = await batch(count)) count *= 2;
  const times = [];
  while (times.length < kMinBatches || performance.now() < deadline) times.push((await batch(count)) / count);
  return median(times);
}
