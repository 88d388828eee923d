// Writes columns c to c + 3 of an output row whose columns are a multiple of four.
fn store(plane: Plane, row: i32, c: i32, sum: vec4f) {
  let to = output_row(plane, row);
  if (to < 0 || c >= params.columns) { return; }
  let i = (plane.out + to * params.out_row + c) >> 2u;
  out[i] = finish(sum + start(plane.column + c), i);
}
