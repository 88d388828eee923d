// Subtracts the mean first: folded into the offset, it would cost digits where it is large. The parameters repeat.
fn at(i: i32) -> U {
  var factor = U(1) / sqrt(variance[i % params.variance_size] + U(params.epsilon));
  factor *= scale_at(i);
  return (x[i] - mean[i % params.mean_size]) * factor + offset_at(i);
}
