// A strided copy of x in which four neighbours in x are neighbours in a dimension of the output other than the last, the
// transposed dimension. A thread copies a block of 4 x 4 elements, and 64 threads one of 32 x 32, so that reads and writes use
// whole cache lines.
// The other dimensions are those of indexer.wgsl, with strides in vec4s: .x in x and .y in out. params.blocks is the number of
// blocks of a thread in the last dimension and in the transposed one, params.tiles that of 64 threads, and params.strides the
// last dimension's stride in x and the transposed one's in out, in vec4s.
fn run(i: i32) {
  let tile = i >> 6u;
  let row = tile / params.tiles.x;
  let outer = row / params.tiles.y;
  let column = (tile - row * params.tiles.x) * 8 + (i & 7);
  let transposed = (row - outer * params.tiles.y) * 8 + ((i >> 3u) & 7);
  if (column >= params.blocks.x || transposed >= params.blocks.y) { return; }
  let at = position(outer);
  let begin = params.origin + at.x + transposed + 4 * column * params.strides.x;
  let a = x[begin];
  let b = x[begin + params.strides.x];
  let c = x[begin + 2 * params.strides.x];
  let d = x[begin + 3 * params.strides.x];
  let to = at.y + 4 * transposed * params.strides.y + column;
  out[to] = T4(a.x, b.x, c.x, d.x);
  out[to + params.strides.y] = T4(a.y, b.y, c.y, d.y);
  out[to + 2 * params.strides.y] = T4(a.z, b.z, c.z, d.z);
  out[to + 3 * params.strides.y] = T4(a.w, b.w, c.w, d.w);
}
