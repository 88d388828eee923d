// A product of integer matrices, element by element. PLANES is the rank of params.planes, whose vectors are a dimension's extent
// and its strides in a and b. The functions b_element(element), a_zero(row), b_zero(column) and finish(sum, column) are declared apart.
fn run(i: i32) {
  let row = i / params.columns;
  let column = i - row * params.columns;
  var plane = row / params.rows;
  let row_of_a = row - plane * params.rows;
  var at = row_of_a * params.a_row;
  var bt = column * params.b_column;
  if (PLANES > 0) {
    for (var d = PLANES - 1; d >= 0; d--) {
      let next = plane / params.planes[d].x;
      let index = plane - next * params.planes[d].x;
      at += index * params.planes[d].y;
      bt += index * params.planes[d].z;
      plane = next;
    }
  }
  let zero_of_a = a_zero(row_of_a);
  let zero_of_b = b_zero(column);
  var sum = 0;
  for (var k = 0; k < params.depth; k++) {
    sum += (a[at] - zero_of_a) * (b_element(bt) - zero_of_b);
    at += params.a_step;
    bt += params.b_row;
  }
  out[i] = finish(sum, column);
}
