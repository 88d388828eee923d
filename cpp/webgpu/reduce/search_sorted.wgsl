// Where a value would be inserted into its row of params.extent sorted elements. RIGHT: after those that equal it.
fn run(i: i32) {
  let value = values[i];
  let row = i / params.width * params.extent;
  var low = 0;
  var high = params.extent;
  while (low < high) {
    let middle = (low + high) / 2;
    let there = sorted[row + middle];
    if (select((there < value), (there <= value), RIGHT)) { low = middle + 1; } else { high = middle; }
  }
  out[i] = high;
}
