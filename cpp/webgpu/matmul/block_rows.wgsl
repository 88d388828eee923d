// Few rows of x times the transpose of weights in blocks (block_weights.wgsl): the sums of a column, of ROWS rows from `row` on.
// LANES threads sum a column, thread `lane` every LANES-th unit of 16 weights, which are of one block.
fn x_vector(row: i32, vector: i32) -> vec4f {
  let k = vector * 4;
  if (k >= params.depth) { return vec4f(); }
  let e = min(row, params.rows - 1) * params.depth + k;
  if (DEPTH_WHOLE) { return x[e >> 2u]; }
  let at = e + vec4i(0, 1, 2, 3);
  let v = at >> vec4u(2);
  let found = vec4f(x[v.x][at.x & 3], x[v.y][at.y & 3], x[v.z][at.z & 3], x[v.w][at.w & 3]);
  return select(vec4f(), found, k + vec4i(0, 1, 2, 3) < vec4i(params.depth));
}

fn lane_sums(row: i32, column: i32, lane: i32) -> vec4f {
  let units = (params.depth + 15) / 16;
  let f_row = (column * params.f_rows.x) << (u32(params.f_bits.z) - 2u);
  var sums = vec4f();
  for (var unit = lane; unit < units; unit += LANES) {
    let block = block_of(f_row + unit * 4);
    let zero = zero_point(block);
    var part = vec4f();
    for (var j = 0; j < 4; j++) {
      let vector = unit * 4 + j;
      let weights = stored_weights(f_row + vector) - zero;
      part.x += dot(weights, x_vector(row, vector));
      if (ROWS > 1) {
        part.y += dot(weights, x_vector(row + 1, vector));
        part.z += dot(weights, x_vector(row + 2, vector));
        part.w += dot(weights, x_vector(row + 3, vector));
      }
    }
    sums += part * scales[block];
  }
  return sums;
}

fn store_sums(row: i32, column: i32, sums: vec4f) {
  for (var r = 0; r < min(ROWS, params.rows - row); r++) { out[(row + r) * params.columns + column] = sums[r]; }
}
