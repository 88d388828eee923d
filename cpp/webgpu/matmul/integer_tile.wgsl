// The sums of a tile (integer_tiles.h) of the product of integers a [rows, depth] and b [depth, columns], whose columns are a
// multiple of four. A thread sums every LANES-th addend. The functions b_vector(v), a_zero(row) and b_zero(column) are declared
// apart.
fn lane_sums(row: i32, v: i32, lane: i32) -> array<vec4i, ROWS> {
  let c = v * 4;
  let zero_of_b = vec4i(b_zero(c), b_zero(c + 1), b_zero(c + 2), b_zero(c + 3));
  var at: array<i32, ROWS>;
  var zeros_of_a: array<i32, ROWS>;
  for (var r = 0; r < ROWS; r++) {
    let own = min(row + r, params.rows - 1);
    at[r] = own * params.depth;
    zeros_of_a[r] = a_zero(own);
  }
  var sums: array<vec4i, ROWS>;
  for (var k = lane; k < params.depth; k += LANES) {
    let weights = b_vector(k * params.vectors + v) - zero_of_b;
    for (var r = 0; r < ROWS; r++) { sums[r] += (a[at[r] + k] - zeros_of_a[r]) * weights; }
  }
  return sums;
}
