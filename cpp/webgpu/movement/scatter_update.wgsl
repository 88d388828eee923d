// The last update of a slice, or else what the tensor has there.
fn at(i: i32) -> U {
  let slice = i / params.run;
  for (var k = params.count - 1; k >= 0; k--) {
    if (ids[k] == slice) { return updates[k * params.run + i - slice * params.run]; }
  }
  return x[i];
}
