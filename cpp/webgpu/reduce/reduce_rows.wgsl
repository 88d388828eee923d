// Reduces each row of params.reduced elements to one output. WHOLE: rows are whole vectors; else the ends of a row are masked
// with the identity element first(). DIVIDE: a mean.
fn run(i: i32) {
  let begin = i * params.reduced;
  let end = begin + params.reduced;
  var r = first();
  if (WHOLE) {
    for (var k = begin >> 2u; k < (end >> 2u); k++) { r = combine(r, V(x[k])); }
  } else {
    for (var k = begin >> 2u; k <= ((end - 1) >> 2u); k++) {
      let e = k * 4 + vec4i(0, 1, 2, 3);
      r = combine(r, select(first(), V(x[k]), (e >= vec4i(begin)) & (e < vec4i(end))));
    }
  }
  r = combine(r, r.zwxy);
  r = combine(r, r.yxwz);
  if (DIVIDE) { r = r / V(E(params.divisor)); }
  out[i] = r.x;
}
