// What the kernels of matmuls and convolutions share: where an output row's window lies in the input, and blocks of four by
// four elements of both operands. For each output row (a pixel, or a row of a matrix) and column:
//   out[row, column] = finish(start(column) + sum over taps and k of x[pixel at the tap, k] * f[tap, k, column])
// Inputs are x, as vectors, and f, of which f_vector(i) is vector i in float32. params.depth is the number of channels of x, and params.tap_depth that number rounded up to a
// multiple of four. Addends are counted with the taps in sequence, params.tap_depth for each. Strides count elements. A plane is
// a matrix of a batch, a group of channels, or the sum of a chunk of the addends. PLANES is the rank of params.planes, whose
// vectors are a dimension's extent and its strides in x and f.
//
// MODE    0: matrices; 1: a convolution; 2: a transposed convolution; 3: the gradient of a convolution's filter, whose rows are
//         the filter's taps and channels, and whose addends are the pixels of f, the gradient of the output.
// X_READ  0: vectors of four channels; 1: vectors of four rows (a transposed matrix, or neighbouring channels of a gradient);
//         2: elements.
// F_READ  0: vectors of four columns; 1: vectors of four channels (a transposed matrix); 2: elements.
// PHASES: a plane of a transposed convolution has the output's pixels that are a stride apart. They have the same taps, which
//         are a stride apart, too. params.phases is the output's extents and the number of such taps, each width first.
// PADDED: some taps are outside of the image. DEPTH_WHOLE: params.depth is a multiple of four.

fn x_at(e: i32) -> f32 { return x[e >> 2u][e & 3]; }

fn f_at(e: i32) -> f32 { return f_vector(e >> 2u)[e & 3]; }

// x and y of the first tap of an output row's window, and the index of its image. Of a transposed convolution, the position
// that tap 0 of a window has reached.
fn window_origin(row: i32) -> vec3i {
  let y = row / params.sizes.z;
  let image = y / params.sizes.w;
  let spot = vec2i(row - y * params.sizes.z, y - image * params.sizes.w);
  let at = select(spot * params.slide.xy - params.slide.zw, spot + params.slide.zw, MODE == 2);
  return vec3i(at, image);
}

// The output's pixel of a plane's row, and the index of its image.
fn phase_pixel(plane: Plane, row: i32) -> vec3i {
  let y = row / params.sizes.z;
  let image = y / params.sizes.w;
  let stride = params.slide.xy;
  let first = (plane.phase + stride - params.slide.zw % stride) % stride;
  return vec3i(vec2i(row - y * params.sizes.z, y - image * params.sizes.w) * stride + first, image);
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
  phase: vec2i, // its first tap
}

fn get_plane(index: i32) -> Plane {
  var plane = Plane(0, 0, 0, index * params.out_plane, 0, params.addends, vec2i(0));
  var rest = index;
  if (SPLIT) {
    rest = index / params.chunks;
    plane.begin = (index - rest * params.chunks) * params.share;
    plane.end = min(plane.begin + params.share, params.addends);
  }
  if (PHASES) { plane.phase = vec2i(rest % params.slide.x, rest / params.slide.x); }
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

fn tap_reach(tap: i32) -> vec2i {
  let width = select(params.window.x, params.phases.z, PHASES);
  let y = tap / width;
  return vec2i(tap - y * width, y) * params.window.zw;
}

// The number of a plane's tap in the filter; -1 for one beyond it, as all planes have as many.
fn filter_tap(plane: Plane, tap: i32) -> i32 {
  if (!PHASES) { return tap; }
  let at = tap_reach(tap) * params.slide.xy + plane.phase;
  return select(-1, at.y * params.window.x + at.x, all(at < params.window.xy));
}

fn get_row(origin: vec3i, reach: vec2i) -> vec3i {
  if (MODE == 2) {
    let at = origin.xy - reach;
    let spot = select(at / params.slide.xy, at, PHASES);
    let inside = all(at >= vec2i(0)) && (PHASES || all(spot * params.slide.xy == at)) && is_inside(spot);
    return select(vec3i(0), vec3i(pixel(spot, origin.z) * params.x_row, 1, 0), inside);
  }
  let at = origin.xy + reach;
  return select(vec3i(0), vec3i(pixel(at, origin.z) * params.x_row, 1, 0), !PADDED || is_inside(at));
}

fn get_rows(x: i32, origins: array<vec3i, 4>, tap: i32) -> Rows {
  let reach = tap_reach(tap);
  let a = get_row(origins[0], reach);
  let b = get_row(origins[1], reach);
  let c = get_row(origins[2], reach);
  let d = get_row(origins[3], reach);
  return Rows(x + vec4i(a.x, b.x, c.x, d.x), vec4i(a.y, b.y, c.y, d.y) != vec4i(0));
}

fn get_matrix_rows(x: i32, first: i32) -> Rows {
  // Vectors of four rows end where the rows do.
  let row = select(min(first + vec4i(0, 1, 2, 3), vec4i(params.rows - 1)), vec4i(min(first, params.rows - 4)), X_READ == 1);
  if (MODE == 3) { return Rows(row, vec4<bool>(true)); }
  return Rows(x + row * params.x_row, vec4<bool>(true));
}

fn get_origin(plane: Plane, row: i32) -> vec3i {
  let at = min(row, params.rows - 1);
  if (!PHASES) { return window_origin(at); }
  let pixel = phase_pixel(plane, at);
  return vec3i((pixel.xy + params.slide.zw - plane.phase) / params.slide.xy, pixel.z);
}

fn get_origins(plane: Plane, first: i32) -> array<vec3i, 4> {
  return array(get_origin(plane, first), get_origin(plane, first + 1), get_origin(plane, first + 2),
               get_origin(plane, first + 3));
}

// The row of the output that a plane's row is; -1 beyond the end.
fn output_row(plane: Plane, row: i32) -> i32 {
  if (row >= params.rows) { return -1; }
  if (!PHASES) { return row; }
  let pixel = phase_pixel(plane, row);
  let at = (pixel.z * params.phases.y + pixel.y) * params.phases.x + pixel.x;
  return select(-1, at, all(pixel.xy < params.phases.xy));
}

// Channels k to k + 3 of a row that begins at element `at`; zeros from channel `end` on.
fn x_elements(at: i32, k: i32, end: i32) -> vec4f {
  let channels = k + vec4i(0, 1, 2, 3);
  let e = at + channels * params.x_step;
  return select(vec4f(), vec4f(x_at(e.x), x_at(e.y), x_at(e.z), x_at(e.w)), channels < vec4i(end));
}

// The channel of a filter gradient's row, and the distance of its tap.
fn gradient_row(row: i32) -> vec3i {
  let tap = row / params.x_row;
  return vec3i(tap_reach(tap), row - tap * params.x_row);
}

// What the rows of a filter's gradient, whose first or only one is `row`, read for pixel k.
fn gradient_vector(row: vec3i, k: i32, end: i32) -> vec4f {
  let origin = window_origin(k);
  let at = origin.xy + row.xy;
  if (k >= end || !is_inside(at)) { return vec4f(); }
  let e = pixel(at, origin.z) * params.x_row + row.z;
  if (X_READ == 1) { return x[e >> 2u]; }
  return vec4f(x_at(e));
}

// Pixels k to k + 3 of four rows of a filter's gradient, one in each column.
fn gradient_block(rows: vec4i, k: i32, end: i32) -> mat4x4f {
  let a = gradient_row(rows.x);
  if (X_READ == 1) {
    return transpose(mat4x4f(gradient_vector(a, k, end), gradient_vector(a, k + 1, end), gradient_vector(a, k + 2, end),
                             gradient_vector(a, k + 3, end)));
  }
  var r = mat4x4f();
  for (var i = 0; i < 4; i++) {
    let row = gradient_row(rows[i]);
    r[i] = vec4f(gradient_vector(row, k, end).x, gradient_vector(row, k + 1, end).x, gradient_vector(row, k + 2, end).x,
                 gradient_vector(row, k + 3, end).x);
  }
  return r;
}

// Channels k to k + 3 of four rows, one in each column. Rows that are not `inside` the image are zeros.
fn x_block(at: vec4i, k: i32, end: i32, inside: vec4<bool>) -> mat4x4f {
  if (MODE == 3) { return gradient_block(at, k, end); }
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
  let e = at + k * params.f_row;
  let c = e + columns * params.f_column;
  if (F_READ == 0) { return select(vec4f(), f_vector(c.x >> 2u), k < end); }
  return select(vec4f(), vec4f(f_at(c.x), f_at(c.y), f_at(c.z), f_at(c.w)), k < end);
}

// Channels k to k + 3, one in each column of the result, of the filter's columns c to c + 3. The last column repeats.
fn f_block(at: i32, k: i32, end: i32, c: i32) -> mat4x4f {
  let columns = min(c + vec4i(0, 1, 2, 3), vec4i(params.columns - 1));
  if (F_READ == 1) {
    let v = (at + columns * params.f_column + k) >> vec4u(2);
    return transpose(mat4x4f(f_vector(v.x), f_vector(v.y), f_vector(v.z), f_vector(v.w)));
  }
  if (F_READ == 0 && DEPTH_WHOLE) {
    let v = (at + c + (k + vec4i(0, 1, 2, 3)) * params.f_row) >> vec4u(2);
    return mat4x4f(f_vector(v.x), f_vector(v.y), f_vector(v.z), f_vector(v.w));
  }
  return mat4x4f(f_row(at, k, end, columns), f_row(at, k + 1, end, columns), f_row(at, k + 2, end, columns),
                 f_row(at, k + 3, end, columns));
}
