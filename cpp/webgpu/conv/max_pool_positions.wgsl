// The first of equal maxima. A NaN only if the window has nothing else, -1 if it has no element.
fn run(i: i32) {
  let taps = get_taps(i);
  var position = -1;
  var best = x[0];
  for (var y = taps.begin.x; y < taps.end.x; y += params.h.w) {
    for (var z = taps.begin.y; z < taps.end.y; z += params.w.w) {
      let at = tap_at(taps, y, z);
      let value = x[at];
      if (position < 0 || value > best || is_nan_(V(best)).x) {
        position = at;
        best = value;
      }
    }
  }
  out[i] = position;
}
