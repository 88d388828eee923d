// Reduces x, [outer, elements], read as lines of `width` vectors, to [outer, parts, width]; a part has `chunk` lines. RAGGED:
// the last line is partial, and is completed with the identity element first(). DIVIDE: a mean.
fn run(i: i32) {
  let q = i / params.width;
  let column = i - q * params.width;
  let o = q / params.parts;
  let part = q - o * params.parts;
  let end = min((part + 1) * params.chunk, params.lines);
  var n = end - part * params.chunk;
  let start = o * (params.elements >> 2u) + column;
  var at = start + part * params.chunk * params.width;
  var r = first();
  if (RAGGED) {
    if (n > 0 && end == params.lines) {
      n--;
      let e = ((params.lines - 1) * params.width + column) * 4 + vec4i(0, 1, 2, 3);
      r = select(r, V(x[start + (params.lines - 1) * params.width]), e < vec4i(params.elements));
    }
  }
  for (var k = 0; k < n; k++) {
    r = combine(r, V(x[at]));
    at += params.width;
  }
  if (DIVIDE) { r = r / V(E(params.divisor)); }
  out[i] = r;
}
