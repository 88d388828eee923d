// The gradient of a depthwise convolution's filter, [chunks, taps, outs]: each output sums a chunk of dy's pixels.
fn at(i: i32) -> U {
  let r = i / params.outs;
  let c = i - r * params.outs;
  let chunk = r / params.taps;
  let tap = r - chunk * params.taps;
  let y = tap / params.window.x;
  let reach = vec2i(tap - y * params.window.x, y) * params.window.zw;
  let channel = c / params.multiplier;
  let end = min((chunk + 1) * params.share, params.pixels);
  var s = U(0);
  for (var p = chunk * params.share; p < end; p++) {
    let origin = window_origin(p);
    let spot = origin.xy + reach;
    if (is_inside(spot)) { s += x[pixel(spot, origin.z) * params.channels + channel] * dy[p * params.outs + c]; }
  }
  return s;
}
