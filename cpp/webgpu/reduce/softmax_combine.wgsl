// The statistics of each row from those of its parts.
fn run(row: i32) {
  var m = -infinity_();
  for (var i = row * params.parts; i < (row + 1) * params.parts; i++) { m = max(m, x[i].x); }
  let shift = select(m, 0.0, m < -3.4028234e38);
  var sum = 0.0;
  for (var i = row * params.parts; i < (row + 1) * params.parts; i++) {
    if (x[i].x >= -3.4028234e38) { sum += x[i].y * exp_(V(x[i].x - shift)).x; } else { sum += x[i].y; }
  }
  out[row] = vec4f(m, sum, 0, 0);
}
