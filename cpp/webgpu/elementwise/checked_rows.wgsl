// The sum or product (PRODUCT) of each row of x, [params.rows, params.extent], or those of its first elements (SCAN). An
// invocation has a chunk of a row. Sums are numbers of 64 bits, as their low and high words; products are a magnitude, and 1
// if they are negative.
var<workgroup> parts: array<vec2u, 64>;

fn widen(x: i32) -> vec2u {
  if (PRODUCT) { return vec2u(magnitude(x), u32(x) >> 31u); }
  return vec2u(u32(x), u32(x >> 31u));
}

fn combine(a: vec2u, b: vec2u) -> vec2u {
  if (PRODUCT) { return vec2u(multiply_clamped(a.x, b.x), a.y ^ b.y); }
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn narrow(x: vec2u) -> Checked {
  if (PRODUCT) { return from_magnitude(x.x, x.y != 0u); }
  return Checked(i32(x.x), x.y != u32(i32(x.x) >> 31u));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) n: vec3u, @builtin(local_invocation_index) local: u32) {
  let row = i32(flat_workgroup(id, n));
  if (row >= params.rows) { return; }
  let start = row * params.extent;
  let chunk = (params.extent + 63) / 64;
  let first = min(i32(local) * chunk, params.extent);
  let last = min(first + chunk, params.extent);
  let neutral = vec2u(select(0u, 1u, PRODUCT), 0u);
  var total = neutral;
  for (var k = first; k < last; k++) { total = combine(total, widen(x[start + k])); }
  parts[local] = total;
  workgroupBarrier();
  total = neutral;
  let before = select(64u, local, SCAN);
  for (var k = 0u; k < before; k++) { total = combine(total, parts[k]); }
  if (SCAN) {
    for (var k = first; k < last; k++) {
      total = combine(total, widen(x[start + k]));
      store(start + k, narrow(total));
    }
  } else if (local == 0u) {
    store(row, narrow(total));
  }
}
