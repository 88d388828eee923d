// NaN for a window without an element inside the input.
fn at(i: i32) -> U {
  let taps = get_taps(i);
  var sum = U(0);
  var count = 0.0;
  for (var y = taps.begin.x; y < taps.end.x; y += params.h.w) {
    for (var z = taps.begin.y; z < taps.end.y; z += params.w.w) {
      sum += x[tap_at(taps, y, z)];
      count += 1.0;
    }
  }
  if (count == 0.0) { return U(nan_().x); }
  return sum / count;
}
