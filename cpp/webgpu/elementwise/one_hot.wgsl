fn run(i: i32) {
  let row = i / params.depth;
  out[i] = select(params.off, params.on, indices[row] == i - row * params.depth);
}
