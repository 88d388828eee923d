// Writes those of columns c to c + 3 of an output row that exist.
fn store(plane: Plane, row: i32, c: i32, sum: vec4f) {
  let to = output_row(plane, row);
  if (to < 0 || c >= params.columns) { return; }
  let e = plane.out + to * params.out_row + c;
  let result = finish(sum + start(plane.column + c), e >> 2u);
  for (var j = 0; j < min(4, params.columns - c); j++) { out[e + j] = result[j]; }
}
