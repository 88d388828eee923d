// Reduces row i of params.reduced elements to one output, in `lanes` invocations, whose results across() combines. WHOLE: rows are
// whole vectors; else the ends of a row are masked with the identity element first(). DIVIDE: a mean.
fn run_lane(i: i32, lane: i32, lanes: i32) {
  let begin = i * params.reduced;
  let end = begin + params.reduced;
  var r = first();
  if (WHOLE) {
    for (var k = (begin >> 2u) + lane; k < (end >> 2u); k += lanes) { r = combine(r, V(x[k])); }
  } else {
    for (var k = (begin >> 2u) + lane; k <= ((end - 1) >> 2u); k += lanes) {
      let e = k * 4 + vec4i(0, 1, 2, 3);
      r = combine(r, select(first(), V(x[k]), (e >= vec4i(begin)) & (e < vec4i(end))));
    }
  }
  r = across(r);
  r = combine(r, r.zwxy);
  r = combine(r, r.yxwz);
  if (DIVIDE) { r = r / V(E(params.divisor)); }
  if (lane == 0) { out[i] = r.x; }
}
