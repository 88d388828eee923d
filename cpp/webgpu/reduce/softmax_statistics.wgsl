// The maximum m of a part of a row, and the sum of exp(x - m): the first two elements of a vector for each part. NaN is ignored
// by the maximum but makes the sum NaN. A part is params.chunk units of a row of params.width units.
fn run(i: i32) {
  let row = i / params.parts;
  let part = i - row * params.parts;
  let begin = row * params.width + part * params.chunk;
  let end = min(begin + params.chunk, (row + 1) * params.width);
  var largest = X(-infinity_());
  for (var k = begin; k < end; k++) {
    let value = x[k];
    largest = select(largest, value, value > largest);
  }
  let m = max_across(largest);
  let shift = select(m, 0.0, is_lowest(m));
  var sum = X(0);
  for (var k = begin; k < end; k++) { sum += exp_unit(x[k] - shift); }
  out[i] = vec4f(m, sum_across(sum), 0, 0);
}
