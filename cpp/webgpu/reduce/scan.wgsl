// Cumulative sums or products (PRODUCT) along a dimension of x, [outer, extent, inner], which is split into chunks of
// params.chunk elements. TOTALS: the result of each chunk only, [outer, chunks, inner]. OFFSETS: what precedes each chunk, in
// the same shape. params.step is 1, or -1 from the end.

fn combine(a: T, b: T) -> T {
  if (PRODUCT) { return a * b; }
  return a + b;
}

fn run(i: i32) {
  let q = i / params.inner;
  let o = q / params.chunks;
  let chunk = q - o * params.chunks;
  let first = chunk * params.chunk;
  let count = min(params.chunk, params.extent - first);
  let begin = select(first, params.extent - 1 - first, params.step < 0);
  var at = (o * params.extent + begin) * params.inner + i - q * params.inner;
  var sum = offset_of(i);
  for (var k = 0; k < count; k++) {
    let before = sum;
    sum = combine(sum, T(x[at]));
    if (!TOTALS) { out[at] = select(sum, before, EXCLUSIVE); }
    at += params.step * params.inner;
  }
  if (TOTALS) { out[i] = sum; }
}
