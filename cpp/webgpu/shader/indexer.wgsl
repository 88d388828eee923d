// A StridedIndexer: params.dims has, for each of kRank dimensions, outermost first, its extent and its stride in each
// input. A whole indexer has a last extent divisible by 4, so that elements 4i to 4i + 3 differ in the last dimension
// alone.

// Returns the position of output element `element` in each input.
fn position(element: i32) -> vec3i {
  var e = element;
  var p = vec3i(0);
  for (var d = kRank - 1; d > 0; d--) {
    let q = e / params.dims[d].x;
    p += (e - q * params.dims[d].x) * params.dims[d].yzw;
    e = q;
  }
  return p + e * params.dims[0].yzw;
}

// Returns the positions of output elements 4i to 4i + 3.
fn positions(i: i32) -> array<vec3i, 4> {
  let first = position(4 * i);
  if (kWhole) {
    let stride = params.dims[kRank - 1].yzw;
    return array<vec3i, 4>(first, first + stride, first + 2 * stride, first + 3 * stride);
  }
  return array<vec3i, 4>(first, position(4 * i + 1), position(4 * i + 2), position(4 * i + 3));
}
