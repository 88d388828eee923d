// The number of the slice that each index tuple addresses; -1 outside. params.extents and params.strides are those of the
// dimensions that params.depth indices address.
fn run(i: i32) {
  var slice = 0;
  for (var d = 0; d < params.depth; d++) {
    let index = indices[i * params.depth + d];
    if (index < 0 || index >= params.extents[d / 4][d % 4]) {
      out[i] = -1;
      return;
    }
    slice += index * params.strides[d / 4][d % 4];
  }
  out[i] = slice;
}
