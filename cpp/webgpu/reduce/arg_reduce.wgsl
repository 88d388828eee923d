// The index of the best element along a dimension of x, [outer, reduced, inner], read in units U. MAX: the largest, else the
// smallest. The dimension is split into parts of `chunk` elements; the result is [outer, parts, inner]. A NaN is never better,
// and nothing is better than a NaN, so that it wins only as the first element, as in the CPU's kernel: all parts begin with the
// first element of all. CANDIDATES: reduces only the elements at [outer, reduced, inner] `indices`; x has params.chunk elements
// along the dimension then.

fn is_better(a: X, b: X) -> Flags { return select((a < b), (a > b), MAX); }

fn at(i: i32) -> U {
  let q = i / params.inner;
  let column = i - q * params.inner;
  var start: i32;
  var begin = 0;
  var end = params.reduced;
  if (CANDIDATES) {
    start = q * params.chunk * params.inner + column;
  } else {
    let o = q / params.parts;
    start = o * params.reduced * params.inner + column;
    begin = (q - o * params.parts) * params.chunk;
    end = min(begin + params.chunk, params.reduced);
  }
  let first = x[start];
  var best = first;
  var result = U(0);
  for (var k = begin; k < end; k++) {
    let index = candidate(k, q, column);
    let value = x[start + index * params.inner];
    let wins = is_better(value, best);
    best = select(best, value, wins);
    result = select(result, U(index), wins);
  }
  return select(result, U(0), is_nan_unit(first));
}
