// The windows that contain an input pixel, for gradients. params.sizes has the extents of the input and of the output,
// params.window those of the window and its dilation, params.slide strides and pads, each width first. A loop over taps
// begins at first_tap() and goes on by tap_stride().

// x and y of input pixel r plus the pads, and the index of its image.
fn pixel_spot(r: i32) -> vec3i {
  let y = r / params.sizes.x;
  let image = y / params.sizes.y;
  return vec3i(vec2i(r - y * params.sizes.x, y - image * params.sizes.y) + params.slide.zw, image);
}

// Without dilation, the taps that read a pixel are one stride apart.
fn first_tap(spot: vec3i) -> vec2i { return select(spot.xy % params.slide.xy, vec2i(0), DILATED); }

fn tap_stride() -> vec2i { return select(params.slide.xy, vec2i(1), DILATED); }

struct Window {
  index: i32,    // among those of all images; -1 if no window reads the pixel with this tap
  corner: vec2i, // position of its first tap
}

fn window_over(spot: vec3i, tap: vec2i) -> Window {
  let reach = spot.xy - tap * params.window.zw;
  let at = reach / params.slide.xy;
  let exists = all(reach >= vec2i(0)) && all(at < params.sizes.zw) && all(at * params.slide.xy == reach);
  return Window(select(-1, (spot.z * params.sizes.w + at.y) * params.sizes.z + at.x, exists), reach - params.slide.zw);
}
