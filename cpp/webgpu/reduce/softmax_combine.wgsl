// The statistics of each row from those of its parts.
fn run(row: i32) {
  var m = -infinity_();
  for (var i = row * params.parts; i < (row + 1) * params.parts; i++) { m = max(m, x[i].x); }
  let shift = select(m, 0.0, is_lowest(m));
  var sum = 0.0;
  for (var i = row * params.parts; i < (row + 1) * params.parts; i++) {
    // A part without a maximum has a sum of 0, or NaN.
    if (is_lowest(x[i].x)) { sum += x[i].y; } else { sum += x[i].y * exp_(V(x[i].x - shift)).x; }
  }
  out[row] = vec4f(m, sum, 0, 0);
}
