// A strided copy of x, from element params.origin on (indexer.wgsl).
fn run(i: i32) {
  let at = positions(i);
  let o = params.origin;
  out[i] = T4(x[o + at[0].x], x[o + at[1].x], x[o + at[2].x], x[o + at[3].x]);
}
