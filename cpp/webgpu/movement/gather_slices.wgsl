// The slices of x with these ids, params.run units each; zeros for an id of -1.
fn at(i: i32) -> U {
  let row = i / params.run;
  let id = ids[row];
  if (id < 0) { return U(0); }
  return x[id * params.run + i - row * params.run];
}
