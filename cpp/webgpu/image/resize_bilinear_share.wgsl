const REACH = 1;

// Weight of input i in output o along an axis.
fn share(i: i32, o: i32, axis: vec4i) -> f32 {
  let at = max(o * axis.x + axis.y, 0);
  let low = at / axis.z;
  let part = f32(at - low * axis.z) / f32(axis.z);
  let high = select(low, low + 1, part > 0.0 && low + 1 < axis.w);
  return select(0.0, 1.0 - part, low == i) + select(0.0, part, high == i);
}
