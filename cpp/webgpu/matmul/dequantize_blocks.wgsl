// Weights in blocks (block_weights.wgsl) as floats. Rows have params.depth units, and params.stored_depth where they are stored.
fn at(i: i32) -> U {
  let row = i / params.depth;
  return stored_unit(row * params.stored_depth + i - row * params.depth);
}
