// A product of int32 matrices, element by element. PLANES is the rank of params.planes, whose vectors are a dimension's extent
// and its strides in a and b.
fn run(i: i32) {
  let row = i / params.columns;
  var plane = row / params.rows;
  var at = (row - plane * params.rows) * params.a_row;
  var bt = (i - row * params.columns) * params.b_column;
  if (PLANES > 0) {
    for (var d = PLANES - 1; d >= 0; d--) {
      let next = plane / params.planes[d].x;
      let index = plane - next * params.planes[d].x;
      at += index * params.planes[d].y;
      bt += index * params.planes[d].z;
      plane = next;
    }
  }
  var sum = 0;
  for (var k = 0; k < params.depth; k++) {
    sum += a[at] * b[bt];
    at += params.a_step;
    bt += params.b_row;
  }
  out[i] = sum;
}
