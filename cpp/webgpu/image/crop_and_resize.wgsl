// A pixel of a crop: the part of an image in a box, resized to params.height by params.width. A box has the first row and column
// and the last ones, as fractions of the image's extents. NEAREST: the nearest pixel instead of a blend of four.

// Positions that rounding in f32 moves beyond an edge of the image, or below a half.
const TOLERANCE = 1e-4;

// Position of element o of `count` along an axis of `extent` pixels; -1 outside of the image.
fn position(first: f32, last: f32, o: i32, count: i32, extent: i32) -> f32 {
  let end = f32(extent - 1);
  var at = 0.5 * (first + last) * end;
  if (count > 1) { at = first * end + f32(o) * (last - first) * end / f32(count - 1); }
  // False for NaN.
  let inside = at >= -TOLERANCE && at <= end + TOLERANCE;
  return select(-1.0, clamp(at, 0.0, end), inside && !is_nan_(V(at)).x);
}

fn pixel(image: i32, y: i32, z: i32, channel: i32) -> U {
  return U(x[((image * params.in_height + y) * params.in_width + z) * params.depth + channel]);
}

fn at(i: i32) -> U {
  let q = i / params.depth;
  let channel = i - q * params.depth;
  let r = q / params.width;
  let box = r / params.height;
  let image = images[box];
  if (image < 0 || image >= params.images) { return U(0); }
  let y = position(boxes[box * 4], boxes[box * 4 + 2], r - box * params.height, params.height, params.in_height);
  let z = position(boxes[box * 4 + 1], boxes[box * 4 + 3], q - r * params.width, params.width, params.in_width);
  if (y < 0.0 || z < 0.0) { return U(params.outside); }
  if (NEAREST) {
    let row = min(i32(floor(y + 0.5 + TOLERANCE)), params.in_height - 1);
    let column = min(i32(floor(z + 0.5 + TOLERANCE)), params.in_width - 1);
    return pixel(image, row, column, channel);
  }
  let top = i32(floor(y));
  let left = i32(floor(z));
  let bottom = i32(ceil(y));
  let right = i32(ceil(z));
  let across = z - f32(left);
  let a = pixel(image, top, left, channel);
  let b = pixel(image, bottom, left, channel);
  let above = a + (pixel(image, top, right, channel) - a) * across;
  let below = b + (pixel(image, bottom, right, channel) - b) * across;
  return above + (below - above) * (y - f32(top));
}
