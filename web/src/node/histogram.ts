/**
 * Counts values in buckets of equal width between the least and the greatest, as TensorBoard does. NaN and infinities are not
 * counted. Returns left edge, right edge and count of each bucket, [buckets, 3] by rows: none if there is no value, and one of
 * width 1 around the value if all are equal.
 */
export function countBuckets(values: ArrayLike<number>, bucketCount: number): Float64Array<ArrayBuffer> {
  const finite = Array.from(values).filter(Number.isFinite);
  if (finite.length === 0) return new Float64Array(0);
  let [min, max] = [Infinity, -Infinity];
  for (const value of finite) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min === max) return Float64Array.of(min - 0.5, min + 0.5, finite.length);
  const buckets = new Float64Array(bucketCount * 3);
  const edge = (i: number) => (i === bucketCount ? max : min + ((max - min) * i) / bucketCount);
  for (let i = 0; i < bucketCount; i++) buckets.set([edge(i), edge(i + 1)], 3 * i);
  for (const value of finite) {
    const i = Math.min(Math.floor(((value - min) / (max - min)) * bucketCount), bucketCount - 1);
    buckets[3 * i + 2]! += 1;
  }
  return buckets;
}
