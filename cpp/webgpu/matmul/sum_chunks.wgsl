// Unit i of the output: the sum of its chunks, [planes, chunks, size], then the bias and the activation. A unit is UNIT elements
// of a row.
fn sum(i: i32) -> vec4f {
  let plane = i / params.size;
  let at = plane * params.chunks * params.size + i - plane * params.size;
  var result = vec4f();
  for (var chunk = 0; chunk < params.chunks; chunk++) { result += vec4f(partial[at + chunk * params.size]); }
  return finish(result + start(i % params.columns * UNIT), i);
}
