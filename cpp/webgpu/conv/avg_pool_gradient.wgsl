// A window distributes its gradient equally to its elements that are inside the image.

fn count_inside(first: i32, extent: i32, taps: i32, dilation: i32) -> i32 {
  let begin = select(0, (dilation - 1 - first) / dilation, first < 0);
  return min((extent - first + dilation - 1) / dilation, taps) - begin;
}

fn share(window: Window, i: i32, c: i32) -> U {
  let across = count_inside(window.corner.x, params.sizes.x, params.window.x, params.window.z);
  let down = count_inside(window.corner.y, params.sizes.y, params.window.y, params.window.w);
  return dy[window.index * params.depth + c] / f32(across * down);
}
