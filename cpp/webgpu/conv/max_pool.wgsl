// NaNs in the window are ignored, as in the CPU's kernel.
fn at(i: i32) -> U {
  let taps = get_taps(i);
  var best = U(lowest());
  for (var y = taps.begin.x; y < taps.end.x; y += params.h.w) {
    for (var z = taps.begin.y; z < taps.end.y; z += params.w.w) {
      let value = x[tap_at(taps, y, z)];
      best = select(best, value, value > best);
    }
  }
  return best;
}
