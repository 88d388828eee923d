const REACH = 0;

// Weight of input i in output o along an axis.
fn share(i: i32, o: i32, axis: vec4i) -> f32 {
  return select(0.0, 1.0, clamp((o * axis.x + axis.y) / axis.z, 0, axis.w - 1) == i);
}
