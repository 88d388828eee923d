// The scale (x) and the zero point (y) that quantize floats from low[0] to high[0] to 0..255, as ONNX's DynamicQuantizeLinear.
// The scale is NaN if a float is infinite or NaN.
fn dynamic_range() -> vec2f {
  let lowest = min(low[0], 0.0);
  let span = max(high[0], 0.0) - lowest;
  let infinite = 0x7f800000u;
  let ends = vec2u(bitcast<u32>(low[0]), bitcast<u32>(high[0])) & vec2u(infinite);
  let scale = select(1.0, span / 255.0, span > 0.0);
  let zero = clamp(round(-lowest / scale), 0.0, 255.0);
  return vec2f(select(scale, nan_().x, any(ends == vec2u(infinite))), zero);
}

// Integers minus their zero point.
fn quantize(x: vec4f) -> vec4i {
  let range = dynamic_range();
  return vec4i(clamp(round(x / range.x), vec4f(-range.y), vec4f(255.0 - range.y)));
}
