// Weights of 2, 4 or 8 bits, the low bits first, in rows of whole blocks that share a scale and a zero point. Inputs are `f`, the
// words of the weights, and `scales`. zero_point(block) is declared apart.
// params.f_bits is the bits of a weight, the base 2 logarithms of a word's weights and of a block's, and a weight's mask.

fn block_of(vector: i32) -> i32 { return vector >> (u32(params.f_bits.z) - 2u); }

// Four weights as they are stored.
fn stored_weights(vector: i32) -> vec4f {
  let e = vector * 4;
  let bits = vec4u(params.f_bits);
  let word = bitcast<u32>(f[e >> bits.y]);
  let first = u32(e & ((1 << bits.y) - 1)) * bits.x;
  return vec4f((vec4u(word) >> (vec4u(first) + vec4u(0, 1, 2, 3) * bits.x)) & vec4u(bits.w));
}

fn f_vector(vector: i32) -> vec4f {
  let block = block_of(vector);
  return (stored_weights(vector) - zero_point(block)) * scales[block];
}
