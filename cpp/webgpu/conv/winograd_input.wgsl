// Transforms a tile of 4 x 4 pixels of x, zeros outside of the image, to out, [16, tiles, channels]. Tiles are two pixels apart.
// params.tiles is the number of tiles along x, along y, and of all images; params.channels is counted in vec4s.
fn transform_input_row(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> mat4x4f { return mat4x4f(a - c, b + c, c - b, b - d); }

fn load(base: i32, at: vec2i) -> vec4f {
  let inside = all(vec2u(at) < vec2u(params.sizes.xy));
  let e = base + (at.y * params.sizes.x + at.x) * params.channels;
  return select(vec4f(), x[select(0, e, inside)], inside);
}

fn load_column(base: i32, at: vec2i) -> mat4x4f {
  return transform_input_row(load(base, at), load(base, at + vec2i(0, 1)), load(base, at + vec2i(0, 2)),
                    load(base, at + vec2i(0, 3)));
}

fn store_row(i: i32, point: i32, a: vec4f, b: vec4f, c: vec4f, d: vec4f) {
  let row = transform_input_row(a, b, c, d);
  let size = params.tiles.z * params.channels;
  let to = point * size + i;
  out[to] = row[0];
  out[to + size] = row[1];
  out[to + 2 * size] = row[2];
  out[to + 3 * size] = row[3];
}

fn run(i: i32) {
  let tile = i / params.channels;
  let row = tile / params.tiles.x;
  let image = row / params.tiles.y;
  let at = 2 * vec2i(tile - row * params.tiles.x, row - image * params.tiles.y) - params.padding.xy;
  let base = image * params.sizes.x * params.sizes.y * params.channels + i - tile * params.channels;
  let a = load_column(base, at);
  let b = load_column(base, at + vec2i(1, 0));
  let c = load_column(base, at + vec2i(2, 0));
  let d = load_column(base, at + vec2i(3, 0));
  store_row(i, 0, a[0], b[0], c[0], d[0]);
  store_row(i, 4, a[1], b[1], c[1], d[1]);
  store_row(i, 8, a[2], b[2], c[2], d[2]);
  store_row(i, 12, a[3], b[3], c[3], d[3]);
}
