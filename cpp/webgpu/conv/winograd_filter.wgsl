// Transforms a 3 x 3 filter f of each channel and vec4 of columns i, [9, params.size], to out, [16, params.size].
fn transform_filter_row(a: vec4f, b: vec4f, c: vec4f) -> mat4x4f {
  let ends = .5 * (a + c);
  return mat4x4f(a, ends + .5 * b, ends - .5 * b, c);
}

fn tap(k: i32, i: i32) -> vec4f { return f[k * params.size + i]; }

fn store_row(i: i32, point: i32, a: vec4f, b: vec4f, c: vec4f) {
  let row = transform_filter_row(a, b, c);
  let to = point * params.size + i;
  out[to] = row[0];
  out[to + params.size] = row[1];
  out[to + 2 * params.size] = row[2];
  out[to + 3 * params.size] = row[3];
}

fn run(i: i32) {
  let a = transform_filter_row(tap(0, i), tap(3, i), tap(6, i));
  let b = transform_filter_row(tap(1, i), tap(4, i), tap(7, i));
  let c = transform_filter_row(tap(2, i), tap(5, i), tap(8, i));
  store_row(i, 0, a[0], b[0], c[0]);
  store_row(i, 4, a[1], b[1], c[1]);
  store_row(i, 8, a[2], b[2], c[2]);
  store_row(i, 12, a[3], b[3], c[3]);
}
