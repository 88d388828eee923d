// The gradient of a resized image: each input pixel sums the outputs in which it has a weight. An axis is that of
// resize_forward.wgsl.

// First output that may have a weight of input i, and the one past the last. REACH bounds them; a few too many are visited.
fn outputs_of(i: i32, axis: vec4i, count: i32) -> vec2i {
  if (axis.x == 0) { return vec2i(0, count); }
  let begin = ((i - REACH) * axis.z - axis.y) / axis.x - 1;
  let end = ((i + 1) * axis.z - axis.y) / axis.x + 2;
  return vec2i(select(max(begin, 0), 0, i == 0), select(min(end, count), count, i == axis.w - 1));
}

fn at(i: i32) -> U {
  let q = i / params.depth;
  let r = q / params.columns.w;
  let n = r / params.rows.w;
  let row = r - n * params.rows.w;
  let column = q - r * params.columns.w;
  let down = outputs_of(row, params.rows, params.height);
  let across = outputs_of(column, params.columns, params.width);
  var s = U(0);
  for (var y = down.x; y < down.y; y++) {
    let a = share(row, y, params.rows);
    if (a == 0.0) { continue; }
    for (var z = across.x; z < across.y; z++) {
      let b = share(column, z, params.columns);
      // A gradient with weight 0 may be NaN.
      if (b != 0.0) { s += x[((n * params.height + y) * params.width + z) * params.depth + i - q * params.depth] * (a * b); }
    }
  }
  return s;
}
