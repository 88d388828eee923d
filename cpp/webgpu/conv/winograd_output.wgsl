// Transforms sums, [16, tiles, channels], to tiles of 2 x 2 pixels of out. Pixels outside the image are skipped. Parameters are
// those of winograd_input.wgsl.
fn transform_output_row(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> mat2x4f { return mat2x4f(a + b + c, b - c - d); }

fn load_column(i: i32, point: i32) -> mat2x4f {
  let size = params.tiles.z * params.channels;
  let e = point * size + i;
  return transform_output_row(sums[e], sums[e + 4 * size], sums[e + 8 * size], sums[e + 12 * size]);
}

fn store_pixel(image: i32, at: vec2i, channel: i32, sum: vec4f) {
  if (any(at >= params.sizes.zw)) { return; }
  let i = ((image * params.sizes.w + at.y) * params.sizes.z + at.x) * params.channels + channel;
  out[i] = finish(sum + start(4 * channel), i);
}

fn run(i: i32) {
  let tile = i / params.channels;
  let channel = i - tile * params.channels;
  let row = tile / params.tiles.x;
  let image = row / params.tiles.y;
  let at = 2 * vec2i(tile - row * params.tiles.x, row - image * params.tiles.y);
  let a = load_column(i, 0);
  let b = load_column(i, 1);
  let c = load_column(i, 2);
  let d = load_column(i, 3);
  let top = transform_output_row(a[0], b[0], c[0], d[0]);
  let bottom = transform_output_row(a[1], b[1], c[1], d[1]);
  store_pixel(image, at, channel, top[0]);
  store_pixel(image, at + vec2i(1, 0), channel, top[1]);
  store_pixel(image, at + vec2i(0, 1), channel, bottom[0]);
  store_pixel(image, at + vec2i(1, 1), channel, bottom[1]);
}
