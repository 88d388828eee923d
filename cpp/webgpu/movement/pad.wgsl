// Pads x. params.dims has, for each of kRank dimensions, outermost first, the extent of the output, the number of elements
// before the input's, and the input's extent. kMirror 0 pads with a value, 1 reflects without the border, 2 reflects with it.
fn run(i: i32) {
  var e = i;
  var place = 0;
  var stride = 1;
  var is_inside = true;
  for (var d = kRank - 1; d >= 0; d--) {
    let dim = params.dims[d];
    var k = e;
    if (d > 0) {
      let q = e / dim.x;
      k = e - q * dim.x;
      e = q;
    }
    k -= dim.y;
    if (kMirror == 0) {
      is_inside = is_inside && k >= 0 && k < dim.z;
    } else if (k < 0) {
      k = 1 - kMirror - k;
    } else if (k >= dim.z) {
      k = 2 * dim.z - k + kMirror - 3;
    }
    place += k * stride;
    stride *= dim.z;
  }
  out[i] = select(Unit(params.value), x[select(0, place, is_inside)], is_inside);
}
