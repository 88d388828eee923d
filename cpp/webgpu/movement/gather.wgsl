// x, whose unit i is x_unit(i), is [batches, outer, extent, run], the indices are [batches, count]. An index out of range
// selects 0.
fn at(i: i32) -> U {
  let row = i / params.run;
  let o = row / params.count;
  let index = indices[o / params.outer * params.count + row - o * params.count];
  if (index < 0 || index >= params.extent) { return U(0); }
  return x_unit((o * params.extent + index) * params.run + i - row * params.run);
}
