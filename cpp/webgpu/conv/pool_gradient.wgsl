// The gradient of a pooling: each pixel sums its shares of the windows that contain it.
fn at(i: i32) -> U {
  let r = i / params.depth;
  let c = i - r * params.depth;
  let spot = pixel_spot(r);
  let first = first_tap(spot);
  let stride = tap_stride();
  var s = U(0);
  for (var y = first.y; y < params.window.y; y += stride.y) {
    for (var z = first.x; z < params.window.x; z += stride.x) {
      let window = window_over(spot, vec2i(z, y));
      if (window.index >= 0) { s += share(window, i, c); }
    }
  }
  return s;
}
