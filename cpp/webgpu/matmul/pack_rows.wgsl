// Packs rows of integers into bytes, four a word, of which params.words make a row. An element is its signed byte plus the row's
// offset, which is the word behind the bytes; the next is the sum of the bytes, or WIDE if the row spans more than 8 bits. Row
// params.rows, the last, is of zeros. LANES threads pack a row. The function values(e), elements e to e + 3, is declared apart.

fn row_end(row: i32) -> i32 { return select(params.depth, 0, row == params.rows); }

fn merge(a: vec3i, b: vec3i) -> vec3i { return vec3i(min(a.x, b.x), max(a.y, b.y), a.z + b.z); }

// The lowest and the highest element of a thread's share of a row, and their sum.
fn lane_range(row: i32, lane: i32) -> vec3i {
  let end = row_end(row);
  var range = vec3i(0x7fffffff, -0x7fffffff - 1, 0);
  for (var k = lane * 4; k < end; k += LANES * 4) {
    let x = values(row * params.depth + k);
    for (var j = 0; j < 4; j++) {
      if (k + j < end) { range = merge(range, vec3i(x[j])); }
    }
  }
  return range;
}

// Packs a thread's share of a row, of which `range` is the whole row's.
fn pack(row: i32, lane: i32, range: vec3i) {
  let end = row_end(row);
  let offset = select(range.x + 128, 0, end == 0);
  let at = row * (params.words + 2);
  for (var q = lane; q < params.words; q += LANES) {
    let x = values(row * params.depth + q * 4) - offset;
    let bytes = select(vec4i(), x, vec4i(q * 4) + vec4i(0, 1, 2, 3) < vec4i(end));
    out[at + q] = bitcast<i32>(pack4xI8(bytes));
  }
  if (lane > 0) { return; }
  let is_wide = bitcast<u32>(range.y) - bitcast<u32>(range.x) > 255u;
  out[at + params.words] = offset;
  out[at + params.words + 1] = select(range.z - end * offset, WIDE, is_wide);
}
