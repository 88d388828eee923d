// True for NaN, and for subnormal numbers, which a comparison may take for 0.
fn is_nonzero(x: V) -> vec4<bool> {
  return (bitcast<vec4u>(x) & vec4u(select(0xffffffffu, 0x7fffffffu, kFromFloat))) != vec4u(0);
}

// Truncates towards 0 and clamps to the range of i32; NaN becomes 0.
fn truncated(x: V) -> vec4i {
  let low = V(-2147483648);
  let inside = vec4i(select(V(0), x, (x >= low) & (x < -low)));
  let clamped = select(inside, vec4i(2147483647), x >= -low);
  return select(select(clamped, vec4i(-2147483648), x < low), vec4i(0), is_nan_(x));
}

fn run(i: i32) {
  if (kToBool) {
    out[i] = T4(is_nonzero(x[i]));
  } else if (kTruncate) {
    out[i] = T4(truncated(x[i]));
  } else {
    out[i] = T4(x[i]);
  }
}
