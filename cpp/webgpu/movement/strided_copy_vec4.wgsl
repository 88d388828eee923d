// A strided copy of x of whole vec4s, in which all strides and extents are, from vec4 params.origin on (indexer.wgsl).
fn run(i: i32) {
  out[i] = x[params.origin + position(i).x];
}
