// Reduces x, [outer, reduced, inner], to [outer, inner], element by element. DIVIDE: a mean.
fn run(i: i32) {
  let o = i / params.inner;
  var at = o * params.reduced * params.inner + i - o * params.inner;
  var r = first();
  for (var k = 0; k < params.reduced; k++) {
    r = combine(r, V(E(x[at])));
    at += params.inner;
  }
  if (DIVIDE) { r = r / V(E(params.divisor)); }
  out[i] = r.x;
}
