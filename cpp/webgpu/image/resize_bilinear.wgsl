// Positions before the first have the first as both neighbours. A neighbour with weight 0 is not read, as it may be NaN.
fn at(i: i32) -> U {
  let spot = get_spot(i);
  let y = max(spot.at.x, 0);
  let z = max(spot.at.y, 0);
  let top = y / params.rows.z;
  let left = z / params.columns.z;
  let down = f32(y - top * params.rows.z) / f32(params.rows.z);
  let across = f32(z - left * params.columns.z) / f32(params.columns.z);
  let bottom = select(top, top + 1, down > 0.0 && top + 1 < params.rows.w);
  let right = select(left, left + 1, across > 0.0 && left + 1 < params.columns.w);
  var a = value(spot, top, left);
  var b = value(spot, top, right);
  a += (value(spot, bottom, left) - a) * down;
  b += (value(spot, bottom, right) - b) * down;
  return a + (b - a) * across;
}
