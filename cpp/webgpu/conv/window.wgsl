// Where an output pixel's window lies in the input. params.sizes has the extents of the input and of the output,
// params.window those of the window and its dilation, params.slide strides and pads, each width first.

// x and y of the first tap of output pixel r's window, and the index of its image.
fn window_origin(r: i32) -> vec3i {
  let y = r / params.sizes.z;
  let image = y / params.sizes.w;
  return vec3i(vec2i(r - y * params.sizes.z, y - image * params.sizes.w) * params.slide.xy - params.slide.zw, image);
}

fn is_inside(at: vec2i) -> bool { return all(vec2u(at) < vec2u(params.sizes.xy)); }

fn pixel(at: vec2i, image: i32) -> i32 { return (image * params.sizes.y + at.y) * params.sizes.x + at.x; }
