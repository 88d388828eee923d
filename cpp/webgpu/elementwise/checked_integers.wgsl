// Arithmetic of integers that tells results beyond 32 bits. WGSL has no integers of 64 bits.
struct Checked { value: i32, is_beyond: bool }

fn magnitude(x: i32) -> u32 { return select(u32(x), 0u - u32(x), x < 0); }

// The product as its low and its high word.
fn multiply_wide(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let mixed = (a >> 16u) * (b & 0xffffu);
  let middle = (a & 0xffffu) * (b >> 16u) + (low >> 16u) + (mixed & 0xffffu);
  return vec2u(a * b, (a >> 16u) * (b >> 16u) + (mixed >> 16u) + (middle >> 16u));
}

// The product, at most 2^32 - 1. As factors other than 0 are at least 1, further products of a clamped one are 0 or beyond.
fn multiply_clamped(a: u32, b: u32) -> u32 {
  let product = multiply_wide(a, b);
  return select(product.x, 0xffffffffu, product.y != 0u);
}

fn from_magnitude(size: u32, is_negative: bool) -> Checked {
  let limit = select(0x7fffffffu, 0x80000000u, is_negative);
  return Checked(i32(select(size, 0u - size, is_negative)), size > limit);
}

fn add_checked(a: i32, b: i32) -> Checked {
  let sum = a + b;
  return Checked(sum, ((a ^ sum) & (b ^ sum)) < 0);
}

fn subtract_checked(a: i32, b: i32) -> Checked {
  let difference = a - b;
  return Checked(difference, ((a ^ b) & (a ^ difference)) < 0);
}

fn multiply_checked(a: i32, b: i32) -> Checked {
  return from_magnitude(multiply_clamped(magnitude(a), magnitude(b)), (a < 0) != (b < 0));
}

// Rounds down; returns 0 if b is 0. Division of the smallest integer by -1 overflows.
fn divide_checked(a: i32, b: i32) -> Checked {
  let d = select(b, 1, b == 0 || b == -1);
  let q = a / d;
  let floored = q - select(0, 1, q * d != a && (a < 0) != (d < 0));
  return Checked(select(select(floored, 0 - a, b == -1), 0, b == 0), b == -1 && u32(a) == 0x80000000u);
}

fn raise_checked(a: i32, b: i32) -> Checked {
  if (b < 0) { return Checked(select(select(0, 1 - 2 * (b & 1), a == -1), 1, a == 1), false); }
  var power = 1u;
  var factor = magnitude(a);
  for (var n = b; n != 0; n >>= 1u) {
    if ((n & 1) != 0) { power = multiply_clamped(power, factor); }
    factor = multiply_clamped(factor, factor);
  }
  return from_magnitude(power, a < 0 && (b & 1) != 0);
}

// NaN becomes 0, and infinity the highest or lowest number. Tested by their bits, as compilers assume that there are neither.
fn truncate_checked(x: f32) -> Checked {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let is_large = size >= 0x4f000000u;
  let clamped = select(i32(select(x, 0., is_large)), i32(0x7fffffffu + (bits >> 31u)), is_large);
  let is_beyond = is_large && size < 0x7f800000u && bits != 0xcf000000u;
  return Checked(select(clamped, 0, size > 0x7f800000u), is_beyond);
}

fn unsigned_checked(x: i32) -> Checked { return Checked(x, x < 0); }

// Counts a negative index from the end of an axis.
fn index_checked(index: i32, extent: i32) -> Checked {
  let result = index + select(0, extent, index < 0);
  return Checked(result, result < 0 || result >= extent);
}
