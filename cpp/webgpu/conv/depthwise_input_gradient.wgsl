// The gradient of a depthwise convolution's input: each pixel sums over the windows that contain it.
fn at(i: i32) -> U {
  let r = i / params.channels;
  let c = i - r * params.channels;
  let outs = params.channels * params.multiplier;
  let spot = pixel_spot(r);
  let first = first_tap(spot);
  let stride = tap_stride();
  var s = U(0);
  for (var y = first.y; y < params.window.y; y += stride.y) {
    for (var z = first.x; z < params.window.x; z += stride.x) {
      let window = window_over(spot, vec2i(z, y));
      if (window.index >= 0) {
        let p = window.index * outs + c * params.multiplier;
        let q = (y * params.window.x + z) * outs + c * params.multiplier;
        for (var m = 0; m < params.multiplier; m++) { s += x[p + m] * f[q + m]; }
      }
    }
  }
  return s;
}
