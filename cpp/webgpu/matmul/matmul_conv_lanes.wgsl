// For software renderers, which run four threads as the lanes of SIMD instructions, and for operands that are not read as
// vectors: the threads of a group of four compute neighbouring columns, so that they load one element of x together, and
// neighbours of f. A thread computes 8 rows of COLUMNS columns, which are four apart.

fn x_lanes(rows: Rows, k: i32) -> vec4f {
  let e = rows.at + k * params.x_step;
  let values = vec4f(x_at(e.x), x_at(e.y), x_at(e.z), x_at(e.w));
  if (!PADDED) { return values; }
  return select(vec4f(), values, rows.inside);
}

fn f_lanes(at: i32, columns: vec4i) -> vec4f {
  let e = at + columns * params.f_column;
  return vec4f(f_at(e.x), f_at(e.y), f_at(e.z), f_at(e.w));
}

// The products of four rows of x, one in each column of the result, and four columns of f.
fn products(f: vec4f, x: vec4f) -> mat4x4f { return mat4x4f(f * x.x, f * x.y, f * x.z, f * x.w); }

fn store_row(plane: Plane, row: i32, c: i32, sums: vec4f) {
  let to = output_row(plane, row);
  if (to < 0) { return; }
  for (var j = 0; j < 4; j++) {
    let column = c + 4 * j;
    if (column >= params.columns) { return; }
    let e = plane.out + to * params.out_row + column;
    // finish() takes a vector of four columns; this thread needs one lane of it.
    let result = finish(vec4f(sums[j]) + start(plane.column + (column & -4)), e >> 2u);
    out[e] = result[column & 3];
  }
}

fn store_rows(plane: Plane, row: i32, c: i32, sums: mat4x4f) {
  store_row(plane, row, c, sums[0]);
  store_row(plane, row + 1, c, sums[1]);
  store_row(plane, row + 2, c, sums[2]);
  store_row(plane, row + 3, c, sums[3]);
}

fn run(i: i32) {
  let tile = i >> 2u;
  let q = tile / params.column_tiles;
  let c = (tile - q * params.column_tiles) * 4 * COLUMNS + (i & 3);
  let z = q / params.row_tiles;
  let r = (q - z * params.row_tiles) * 8;
  let plane = get_plane(z);
  var origins_a: array<vec3i, 4>;
  var origins_b: array<vec3i, 4>;
  var a = get_matrix_rows(plane.x, r);
  var b = get_matrix_rows(plane.x, r + 4);
  if (MODE == 1) {
    origins_a = get_origins(plane, r);
    origins_b = get_origins(plane, r + 4);
  }
  let steps = vec4i(0, 4, 8, 12);
  let left = min(c + steps, vec4i(params.columns - 1));
  let right = min(c + 16 + steps, vec4i(params.columns - 1));
  // Sums of rows 0 to 3 (a) and 4 to 7 (b); a column of a matrix holds a row.
  var a0: mat4x4f;
  var a1: mat4x4f;
  var b0: mat4x4f;
  var b1: mat4x4f;
  for (var first = plane.begin; first < plane.end; ) {
    let tap = first / params.tap_depth;
    let base = tap * params.tap_depth;
    let begin = first - base;
    first = base + params.tap_depth;
    let end = min(plane.end - base, params.depth);
    if (MODE == 1) {
      a = get_rows(plane.x, origins_a, tap);
      b = get_rows(plane.x, origins_b, tap);
    }
    var at = plane.f + tap * params.f_tap + begin * params.f_row;
    for (var k = begin; k < end; k++) {
      let xa = x_lanes(a, k);
      let xb = x_lanes(b, k);
      let f0 = f_lanes(at, left);
      a0 += products(f0, xa);
      b0 += products(f0, xb);
      if (COLUMNS == 8) {
        let f1 = f_lanes(at, right);
        a1 += products(f1, xa);
        b1 += products(f1, xb);
      }
      at += params.f_row;
    }
  }
  store_rows(plane, r, c, a0);
  store_rows(plane, r + 4, c, b0);
  if (COLUMNS == 8) {
    store_rows(plane, r, c + 16, a1);
    store_rows(plane, r + 4, c + 16, b1);
  }
}
