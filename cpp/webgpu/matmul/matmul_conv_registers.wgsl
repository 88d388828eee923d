// A thread computes a tile of ROWS by COLUMNS outputs in registers, without workgroup memory: for software renderers, which run
// barriers badly, and for products too small for workgroups' tiles.

fn store_rows(plane: Plane, row: i32, c: i32, sums: mat4x4f) {
  store(plane, row, c, sums[0]);
  store(plane, row + 1, c, sums[1]);
  store(plane, row + 2, c, sums[2]);
  store(plane, row + 3, c, sums[3]);
}

fn run(i: i32) {
  let q = i / params.column_tiles;
  let c = (i - q * params.column_tiles) * COLUMNS;
  let z = q / params.row_tiles;
  let r = (q - z * params.row_tiles) * ROWS;
  let plane = get_plane(z);
  var origins_a: array<vec3i, 4>;
  var origins_b: array<vec3i, 4>;
  var a = get_matrix_rows(plane.x, r);
  var b = a;
  if (MODE == 1 || MODE == 2) {
    origins_a = get_origins(plane, r);
    if (ROWS == 8) { origins_b = get_origins(plane, r + 4); }
  } else if (ROWS == 8) {
    b = get_matrix_rows(plane.x, r + 4);
  }
  // Sums of rows 0 to 3 (a) and 4 to 7 (b), of columns 0 to 3 and 4 to 7; a column of a matrix holds a row.
  var a0: mat4x4f;
  var a1: mat4x4f;
  var b0: mat4x4f;
  var b1: mat4x4f;
  for (var first = plane.begin; first < plane.end; ) {
    let tap = first / params.tap_depth;
    let base = tap * params.tap_depth;
    let begin = first - base;
    first = base + params.tap_depth;
    let filter_at = filter_tap(plane, tap);
    if (filter_at < 0) { continue; }
    let end = min(plane.end - base, params.depth);
    if (MODE == 1 || MODE == 2) {
      a = get_rows(plane.x, origins_a, tap);
      if (ROWS == 8) { b = get_rows(plane.x, origins_b, tap); }
    }
    let f = plane.f + filter_at * params.f_tap;
    for (var k = begin; k < end; k += 4) {
      let left = f_block(f, k, end, c);
      let xa = x_block(a.at, k, end, a.inside);
      a0 += left * xa;
      if (COLUMNS == 8) {
        let right = f_block(f, k, end, c + 4);
        a1 += right * xa;
        if (ROWS == 8) {
          let xb = x_block(b.at, k, end, b.inside);
          b0 += left * xb;
          b1 += right * xb;
        }
      } else if (ROWS == 8) {
        b0 += left * x_block(b.at, k, end, b.inside);
      }
    }
  }
  store_rows(plane, r, c, a0);
  if (COLUMNS == 8) { store_rows(plane, r, c + 4, a1); }
  if (ROWS == 8) {
    store_rows(plane, r + 4, c, b0);
    if (COLUMNS == 8) { store_rows(plane, r + 4, c + 4, b1); }
  }
}
