// A convolution of integers, element by element: params.depth channels of a group of params.group_columns. The functions
// b_element(element) of the filter and finish(sum, column) are declared apart.
fn run(i: i32) {
  let r = i / params.columns;
  let column = i - r * params.columns;
  let origin = window_origin(r);
  let first = column / params.group_columns * params.depth;
  var sum = 0;
  for (var y = 0; y < params.window.y; y++) {
    for (var z = 0; z < params.window.x; z++) {
      let spot = origin.xy + vec2i(z, y) * params.window.zw;
      if (is_inside(spot)) {
        let at = pixel(spot, origin.z) * params.channels + first;
        var bt = (y * params.window.x + z) * params.depth * params.columns + column;
        for (var k = 0; k < params.depth; k++) {
          sum += i32(x[at + k]) * b_element(bt);
          bt += params.columns;
        }
      }
    }
  }
  out[i] = finish(sum, column);
}
