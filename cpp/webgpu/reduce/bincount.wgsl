// How often a row of x has a value, or the sum of its weights. BINARY: whether the row has it.
fn run(i: i32) {
  let row = i / params.size;
  let value = i - row * params.size;
  var sum = T(0);
  for (var k = row * params.width; k < (row + 1) * params.width; k++) {
    if (x[k] == value) { sum += weight_of(k); }
  }
  out[i] = select(sum, min(sum, T(1)), BINARY);
}
