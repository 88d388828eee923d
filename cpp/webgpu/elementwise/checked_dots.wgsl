// Multiplies each row of x, [batches, params.rows, params.depth], by each row of y, [batches, params.columns, params.depth]. Sums
// are numbers of 96 bits, the lowest word first.

// The sum, and 1 if it is beyond a word.
fn add_with_carry(a: u32, b: u32, carry: u32) -> vec2u {
  let sum = a + b;
  let carried = sum + carry;
  return vec2u(carried, select(0u, 1u, sum < a || carried < sum));
}

fn run(i: i32) {
  let row = i / params.columns;
  let column = row / params.rows * params.columns + i - row * params.columns;
  var sum = vec3u();
  for (var k = 0; k < params.depth; k++) {
    let a = x[row * params.depth + k];
    let b = y[column * params.depth + k];
    let product = multiply_wide(magnitude(a), magnitude(b));
    // The complement plus 1 is the negative.
    let sign = select(0u, 0xffffffffu, (a < 0) != (b < 0));
    let low = add_with_carry(sum.x, product.x ^ sign, sign & 1u);
    let middle = add_with_carry(sum.y, product.y ^ sign, low.y);
    sum = vec3u(low.x, middle.x, sum.z + sign + middle.y);
  }
  let value = i32(sum.x);
  store(i, Checked(value, any(sum.yz != vec2u(u32(value >> 31u)))));
}
