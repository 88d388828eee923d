// A depthwise convolution with windows TAPS columns wide, 3 or 5, and a horizontal stride of STRIDE, 1 or 2. A thread computes four
// neighbours of a row, four channels each, and reads each input pixel once for all windows of a row that contain it.
// params.tiles is the number of such neighbourhoods of a row, and params.channels counts vectors.

fn load(at: vec2i, image: i32, c: i32) -> vec4f {
  let inside = is_inside(at);
  return select(vec4f(), x[select(0, pixel(at, image) * params.channels + c, inside)], inside);
}

fn store(row: i32, column: i32, c: i32, sum: vec4f) {
  if (column >= params.sizes.z) { return; }
  let i = (row * params.sizes.z + column) * params.channels + c;
  out[i] = finish(sum + start(c * 4), i);
}

fn run(i: i32) {
  let q = i / params.channels;
  let c = i - q * params.channels;
  let row = q / params.tiles;
  let column = (q - row * params.tiles) * 4;
  let image = row / params.sizes.w;
  var at = vec2i(column, row - image * params.sizes.w) * params.slide.xy - params.slide.zw;
  let next = vec2i(1, 0);
  var s0 = vec4f();
  var s1 = vec4f();
  var s2 = vec4f();
  var s3 = vec4f();
  for (var y = 0; y < params.window.y; y++) {
    let base = y * TAPS * params.channels + c;
    let w0 = f[base];
    let w1 = f[base + params.channels];
    let w2 = f[base + 2 * params.channels];
    let v0 = load(at, image, c);
    let v1 = load(at + next, image, c);
    let v2 = load(at + 2 * next, image, c);
    let v3 = load(at + 3 * next, image, c);
    let v4 = load(at + 4 * next, image, c);
    let v5 = load(at + 5 * next, image, c);
    s0 += v0 * w0 + v1 * w1 + v2 * w2;
    if (STRIDE == 1) {
      s1 += v1 * w0 + v2 * w1 + v3 * w2;
      s2 += v2 * w0 + v3 * w1 + v4 * w2;
      s3 += v3 * w0 + v4 * w1 + v5 * w2;
      if (TAPS == 5) {
        let w3 = f[base + 3 * params.channels];
        let w4 = f[base + 4 * params.channels];
        let v6 = load(at + 6 * next, image, c);
        s0 += v3 * w3 + v4 * w4;
        s1 += v4 * w3 + v5 * w4;
        s2 += v5 * w3 + v6 * w4;
        s3 += v6 * w3 + load(at + 7 * next, image, c) * w4;
      }
    } else {
      let v6 = load(at + 6 * next, image, c);
      let v7 = load(at + 7 * next, image, c);
      let v8 = load(at + 8 * next, image, c);
      s1 += v2 * w0 + v3 * w1 + v4 * w2;
      s2 += v4 * w0 + v5 * w1 + v6 * w2;
      s3 += v6 * w0 + v7 * w1 + v8 * w2;
      if (TAPS == 5) {
        let w3 = f[base + 3 * params.channels];
        let w4 = f[base + 4 * params.channels];
        s0 += v3 * w3 + v4 * w4;
        s1 += v5 * w3 + v6 * w4;
        s2 += v7 * w3 + v8 * w4;
        s3 += load(at + 9 * next, image, c) * w3 + load(at + 10 * next, image, c) * w4;
      }
    }
    at.y += params.window.w;
  }
  store(row, column, c, s0);
  store(row, column + 1, c, s1);
  store(row, column + 2, c, s2);
  store(row, column + 3, c, s3);
}
