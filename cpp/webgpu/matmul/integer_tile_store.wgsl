// Stores the sums of rows `row` to `row + ROWS - 1` of columns 4 * v to 4 * v + 3. The function finish(sum, column) is declared
// apart.
fn store_sums(row: i32, v: i32, sums: array<vec4i, ROWS>) {
  let c = v * 4;
  for (var r = 0; r < ROWS; r++) {
    if (row + r >= params.rows) { return; }
    let e = (row + r) * params.columns + c;
    for (var j = 0; j < 4; j++) {
      if (c + j < params.columns) { out[e + j] = finish(sums[r][j], c + j); }
    }
  }
}
