// The sums of a tile (integer_tiles.h) of the product of integers a and bytes b [taps * depth, columns]. For each tap, a row of
// the product reads one row of a, `bytes` (pack_rows.wgsl). A thread sums every LANES-th word. The functions row_origin(row) and
// source_row(origin, tap), the row of a; values(e), its elements e to e + 3; b_block(tap, q, v), words of the elements 4 * q to
// 4 * q + 3 of a tap in columns 4 * v to 4 * v + 3; a_zero(row) and b_zero(column) are declared apart.

const ONES = 0x01010101u;

fn dots(a: u32, b: vec4u) -> vec4i {
  return vec4i(dot4I8Packed(a, b.x), dot4I8Packed(a, b.y), dot4I8Packed(a, b.z), dot4I8Packed(a, b.w));
}

// The products of a row of a that is wide, minus `zero`. Elements of b are bytes plus `b_offset`.
fn wide_sums(source: i32, zero: i32, tap: i32, v: i32, lane: i32, b_offset: vec4i) -> vec4i {
  var sums = vec4i();
  for (var q = lane; q < params.words; q += LANES) {
    let x = values(source * params.depth + q * 4) - zero;
    let addends = select(vec4i(), x, vec4i(q * 4) + vec4i(0, 1, 2, 3) < vec4i(params.depth));
    let block = b_block(tap, q, v);
    for (var j = 0; j < 4; j++) { sums[j] += dot(addends, unpack4xI8(block[j]) + b_offset[j]); }
  }
  return sums;
}

fn lane_sums(row: i32, v: i32, lane: i32) -> array<vec4i, ROWS> {
  let c = v * 4;
  let b_offset = params.b_offset - vec4i(b_zero(c), b_zero(c + 1), b_zero(c + 2), b_zero(c + 3));
  let stride = params.words + 2;
  // A word's bytes behind the last element of a tap are no part of the columns' sums; those of a are 0.
  let last_ones = ONES >> (u32(-params.depth & 3) * 8u);
  var origins: array<vec3i, ROWS>;
  var zeros: array<i32, ROWS>;
  for (var r = 0; r < ROWS; r++) {
    let own = min(row + r, params.rows - 1);
    origins[r] = row_origin(own);
    zeros[r] = a_zero(own);
  }
  var sums: array<vec4i, ROWS>;
  for (var tap = 0; tap < params.taps; tap++) {
    var at: array<i32, ROWS>;
    var a_offsets: array<i32, ROWS>;
    for (var r = 0; r < ROWS; r++) {
      let source = source_row(origins[r], tap);
      at[r] = source * stride;
      a_offsets[r] = bytes[at[r] + params.words] - zeros[r];
      let sum = bytes[at[r] + params.words + 1];
      if (sum == WIDE) {
        sums[r] += wide_sums(source, zeros[r], tap, v, lane, b_offset);
        at[r] = params.row_of_zeros * stride;
        a_offsets[r] = 0;
      } else if (lane == 0) {
        sums[r] += (sum + params.depth * a_offsets[r]) * b_offset;
      }
    }
    var column_sums = vec4i();
    for (var q = lane; q < params.words; q += LANES) {
      let block = b_block(tap, q, v);
      column_sums += dots(select(ONES, last_ones, q == params.words - 1), block);
      for (var r = 0; r < ROWS; r++) { sums[r] += dots(bitcast<u32>(bytes[at[r] + q]), block); }
    }
    for (var r = 0; r < ROWS; r++) { sums[r] += a_offsets[r] * column_sums; }
  }
  return sums;
}
