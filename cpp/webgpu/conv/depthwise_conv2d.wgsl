// A depthwise convolution, unit by unit. Each of the input's channels has params.multiplier channels of the output; a unit is
// four channels only where that is one.
fn at(i: i32) -> U {
  let r = i / params.channels;
  let c = i - r * params.channels;
  let origin = window_origin(r);
  let x_channels = params.channels / params.multiplier;
  let base = c / params.multiplier;
  var s = U(0);
  for (var y = 0; y < params.window.y; y++) {
    for (var z = 0; z < params.window.x; z++) {
      let spot = origin.xy + vec2i(z, y) * params.window.zw;
      if (is_inside(spot)) {
        s += x[pixel(spot, origin.z) * x_channels + base] * f[(y * params.window.x + z) * params.channels + c];
      }
    }
  }
  return finish_unit(s, c, i);
}
