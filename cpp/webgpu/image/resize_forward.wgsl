// A pixel of a resized image. An axis is (scale, shift, divisor, extent): output o is at (o * scale + shift) / divisor in the
// input. In integers, since the neighbours depend on how a quotient is rounded.
struct Spot {
  at: vec2i,  // row and column, times the divisors
  image: i32,
  channel: i32,
}

fn get_spot(i: i32) -> Spot {
  let q = i / params.depth;
  let r = q / params.width;
  let n = r / params.height;
  return Spot(vec2i((r - n * params.height) * params.rows.x + params.rows.y,
                    (q - r * params.width) * params.columns.x + params.columns.y), n, i - q * params.depth);
}

fn value(spot: Spot, row: i32, column: i32) -> U {
  return U(x[((spot.image * params.rows.w + row) * params.columns.w + column) * params.depth + spot.channel]);
}
