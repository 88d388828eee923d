// True for NaN.
fn is_nonzero(x: V) -> vec4<bool> {
  return (x != V(0)) | is_nan_(x);
}

// Truncates towards 0 and clamps to the range of i32; NaN becomes 0.
fn truncated(x: V) -> vec4i {
  let low = V(-2147483648);
  let inside = vec4i(select(V(0), x, (x >= low) & (x < -low)));
  let clamped = select(inside, vec4i(2147483647), x >= -low);
  return select(select(clamped, vec4i(-2147483648), x < low), vec4i(0), is_nan_(x));
}
