// An element of the softmax of a row of a few elements, whose statistics each thread computes. LOG: its logarithm.
fn run(i: i32) {
  let begin = i / params.width * params.width;
  var m = -infinity_();
  for (var k = begin; k < begin + params.width; k++) { m = select(m, x[k], x[k] > m); }
  let shift = select(m, 0.0, is_lowest(m));
  var sum = 0.0;
  for (var k = begin; k < begin + params.width; k++) { sum += exp_unit(x[k] - shift); }
  if (LOG) {
    out[i] = x[i] - m - log_(V(sum)).x;
  } else {
    out[i] = exp_unit(x[i] - m) / sum;
  }
}
