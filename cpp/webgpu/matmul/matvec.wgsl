// Multiplies the vector x by the transpose of f, which has rows of params.units vectors: columns 4 i to 4 i + 3 of the result, in
// `lanes` invocations of a subgroup.
fn run_lane(i: i32, lane: i32, lanes: i32) {
  let first = i * 4 * params.units;
  var sum = vec4f();
  for (var k = lane; k < params.units; k += lanes) {
    let addend = x[k];
    let at = first + k;
    sum += vec4f(dot(addend, f[at]), dot(addend, f[at + params.units]), dot(addend, f[at + 2 * params.units]),
                 dot(addend, f[at + 3 * params.units]));
  }
  sum = subgroupAdd(sum);
  if (lane == 0) { out[i] = finish(sum + start(i * 4), i); }
}
