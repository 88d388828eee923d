// What the kernels of matmuls and convolutions share: where an output row's window lies in the input, and blocks of four by
// four elements of both operands. For each output row (a pixel or a row of a matrix) and column:
//   out[row, column] = finish(start(column) + sum over taps and k of x[pixel at the tap, k] * f[tap, k, column])
// A matrix is an image one pixel wide, with its columns as channels. params.depth is the number of channels of x, and params.tap_depth
// that number rounded up to a multiple of four. Addends are counted with the taps in sequence, params.tap_depth for each. Strides
// count elements. A plane is a matrix of a batch, a group of channels, or the sum of a chunk of the addends.
// Inputs: x and f, as vectors. PLANES is the rank of params.planes, whose vec4s are a dimension's extent and its strides in x
// and f.
//
// X_READ  0: vectors of four channels; 1: vectors of four rows (a transposed matrix); 2: elements.
// F_READ  0: vectors of four columns; 1: vectors of four channels (a transposed matrix); 2: elements.

fn x1(e: i32) -> f32 { return x[e >> 2u][e & 3]; }

fn f1(e: i32) -> f32 { return f[e >> 2u][e & 3]; }

// x and y of the first tap of an output row's window, and the index of its image.
fn window_origin(row: i32) -> vec3i {
  let y = row / params.sizes.z;
  let image = y / params.sizes.w;
  let at = vec2i(row - y * params.sizes.z, y - image * params.sizes.w) * params.slide.xy - params.slide.zw;
  return vec3i(at, image);
}

fn is_inside(at: vec2i) -> bool { return all(vec2u(at) < vec2u(params.sizes.xy)); }

fn pixel(at: vec2i, image: i32) -> i32 { return (image * params.sizes.y + at.y) * params.sizes.x + at.x; }

struct Plane {
  x: i32,      // first element of x
  f: i32,      // first element of the filter
  column: i32, // its first column among those of the bias
  out: i32,    // first element of the output
  begin: i32,  // its addends
  end: i32,
}

fn get_plane(index: i32) -> Plane {
  var plane = Plane(0, 0, 0, index * params.out_plane, 0, params.addends);
  var rest = index;
  if (SPLIT) {
    rest = index / params.chunks;
    plane.begin = (index - rest * params.chunks) * params.share;
    plane.end = min(plane.begin + params.share, params.addends);
  }
  if (PLANES > 0) {
    plane.column = rest * params.column_plane;
    for (var d = PLANES - 1; d >= 0; d--) {
      let next = rest / params.planes[d].x;
      let at = rest - next * params.planes[d].x;
      plane.x += at * params.planes[d].y;
      plane.f += at * params.planes[d].z;
      rest = next;
    }
  }
  return plane;
}

struct Rows {
  at: vec4i,          // first element of the input that each of four rows reads at a tap
  inside: vec4<bool>, // false if that is padding
}

fn get_rows(x: i32, origins: array<vec3i, 4>, tap: i32) -> Rows {
  let y = tap / params.window.x;
  let reach = vec2i(tap - y * params.window.x, y) * params.window.zw;
  var rows = Rows(vec4i(x), vec4<bool>(true));
  for (var i = 0; i < 4; i++) {
    let at = origins[i].xy + reach;
    if (PADDED) { rows.inside[i] = is_inside(at); }
    if (rows.inside[i]) { rows.at[i] += pixel(at, origins[i].z) * params.x_row; }
  }
  return rows;
}

fn get_matrix_rows(x: i32, first: i32) -> Rows {
  // Vectors of four rows end where the rows do.
  let row = select(min(first + vec4i(0, 1, 2, 3), vec4i(params.rows - 1)), vec4i(min(first, params.rows - 4)), X_READ == 1);
  return Rows(x + row * params.x_row, vec4<bool>(true));
}

fn get_origins(first: i32) -> array<vec3i, 4> {
  let last = params.rows - 1;
  return array(window_origin(min(first, last)), window_origin(min(first + 1, last)),
               window_origin(min(first + 2, last)), window_origin(min(first + 3, last)));
}

// Channels k to k + 3 of a row that begins at element `at`; zeros from channel `end` on.
fn x_elements(at: i32, k: i32, end: i32) -> vec4f {
  let e = at + k * params.x_step;
  var r = vec4f();
  if (k < end) { r.x = x1(e); }
  if (k + 1 < end) { r.y = x1(e + params.x_step); }
  if (k + 2 < end) { r.z = x1(e + 2 * params.x_step); }
  if (k + 3 < end) { r.w = x1(e + 3 * params.x_step); }
  return r;
}

// Channels k to k + 3 of four rows, one in each column. Rows that are not `inside` the image are zeros.
fn x_block(at: vec4i, k: i32, end: i32, inside: vec4<bool>) -> mat4x4f {
  var r: mat4x4f;
  if (X_READ == 0) {
    let v = (at + k) >> vec4u(2);
    r = mat4x4f(x[v.x], x[v.y], x[v.z], x[v.w]);
  } else if (X_READ == 1) {
    let v = (at.x + (k + vec4i(0, 1, 2, 3)) * params.x_step) >> vec4u(2);
    let no = vec4f();
    r = transpose(mat4x4f(select(no, x[v.x], k < end), select(no, x[v.y], k + 1 < end),
                          select(no, x[v.z], k + 2 < end), select(no, x[v.w], k + 3 < end)));
  } else {
    r = mat4x4f(x_elements(at.x, k, end), x_elements(at.y, k, end), x_elements(at.z, k, end), x_elements(at.w, k, end));
  }
  if (PADDED) {
    let no = vec4f();
    r = mat4x4f(select(no, r[0], inside.x), select(no, r[1], inside.y), select(no, r[2], inside.z),
                select(no, r[3], inside.w));
  }
  return r;
}

fn f_row(at: i32, k: i32, end: i32, columns: vec4i) -> vec4f {
  if (k >= end) { return vec4f(); }
  let e = at + k * params.f_row;
  if (F_READ == 0) { return f[(e + columns.x) >> 2u]; }
  let c = e + columns * params.f_column;
  return vec4f(f1(c.x), f1(c.y), f1(c.z), f1(c.w));
}

// Channels k to k + 3, one in each column of the result, of the filter's columns c to c + 3. The last column repeats.
fn f_block(at: i32, k: i32, end: i32, c: i32) -> mat4x4f {
  let columns = min(c + vec4i(0, 1, 2, 3), vec4i(params.columns - 1));
  if (F_READ == 1) {
    let v = (at + columns * params.f_column + k) >> vec4u(2);
    return transpose(mat4x4f(f[v.x], f[v.y], f[v.z], f[v.w]));
  }
  if (F_READ == 0 && DEPTH_WHOLE) {
    let v = (at + c + (k + vec4i(0, 1, 2, 3)) * params.f_row) >> vec4u(2);
    return mat4x4f(f[v.x], f[v.y], f[v.z], f[v.w]);
  }
  return mat4x4f(f_row(at, k, end, columns), f_row(at, k + 1, end, columns), f_row(at, k + 2, end, columns),
                 f_row(at, k + 3, end, columns));
}
