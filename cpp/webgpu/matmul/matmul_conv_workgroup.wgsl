// A workgroup of WG_X by WG_Y threads computes a tile of outputs. It keeps the tile's part of both operands in workgroup memory,
// TILE_DEPTH addends at a time. A thread sums THREAD_ROWS rows, WG_Y apart, and THREAD_COLUMNS vectors of four columns, WG_X
// apart, so that neighbours read neighbours.

const THREADS = WG_X * WG_Y;
const TILE_ROWS = WG_Y * THREAD_ROWS;
const TILE_VECTORS = WG_X * THREAD_COLUMNS;
const STEPS = TILE_DEPTH / 4;
const X_BLOCKS = TILE_ROWS / 4 * STEPS;
const F_BLOCKS = TILE_VECTORS * STEPS;
const X_LOADS = (X_BLOCKS + THREADS - 1) / THREADS;

// Four addends of each row, [TILE_ROWS, STEPS].
var<workgroup> x_tile: array<vec4f, TILE_ROWS * STEPS>;
// Four columns of each addend, [TILE_DEPTH, TILE_VECTORS].
var<workgroup> f_tile: array<vec4f, TILE_DEPTH * TILE_VECTORS>;

@compute @workgroup_size(WG_X, WG_Y)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_id) local_id: vec3u, @builtin(local_invocation_index) index: u32) {
  let local = vec3i(local_id);
  let thread = i32(index);
  let tile = i32(flat_workgroup(group, groups));
  if (tile >= params.tiles) { return; }
  let tile_row = tile / params.column_tiles;
  let index_of_plane = tile_row / params.row_tiles;
  let plane = get_plane(index_of_plane);
  let first_row = (tile_row - index_of_plane * params.row_tiles) * TILE_ROWS;
  let first_column = (tile - tile_row * params.column_tiles) * TILE_VECTORS * 4;
  // The rows that this thread loads are the same in each step.
  var origins: array<array<vec3i, 4>, X_LOADS>;
  if (MODE == 1 || MODE == 2) {
    for (var i = 0; i < X_LOADS; i++) { origins[i] = get_origins(plane, first_row + (thread + i * THREADS) / STEPS * 4); }
  }
  var sums: array<array<vec4f, THREAD_COLUMNS>, THREAD_ROWS>;
  for (var first = plane.begin; first < plane.end; first += TILE_DEPTH) {
    for (var i = 0; i < X_LOADS; i++) {
      let block = thread + i * THREADS;
      let row = block / STEPS * 4;
      let step = block % STEPS;
      let addend = first + step * 4;
      var x = mat4x4f();
      let tap = addend / params.tap_depth;
      if (addend < plane.end && filter_tap(plane, tap) >= 0) {
        let k = addend - tap * params.tap_depth;
        var rows: Rows;
        if (MODE == 1 || MODE == 2) {
          rows = get_rows(plane.x, origins[i], tap);
        } else {
          rows = get_matrix_rows(plane.x, first_row + row);
        }
        x = x_block(rows.at, k, params.depth, rows.inside);
      }
      if (block < X_BLOCKS) {
        for (var j = 0; j < 4; j++) { x_tile[(row + j) * STEPS + step] = x[j]; }
      }
    }
    for (var block = thread; block < F_BLOCKS; block += THREADS) {
      let step = block / TILE_VECTORS;
      let vector = block % TILE_VECTORS;
      let addend = first + step * 4;
      var f = mat4x4f();
      let tap = addend / params.tap_depth;
      let filter_at = filter_tap(plane, tap);
      if (addend < plane.end && filter_at >= 0) {
        f = f_block(plane.f + filter_at * params.f_tap, addend - tap * params.tap_depth, params.depth, first_column + vector * 4);
      }
      for (var j = 0; j < 4; j++) { f_tile[(step * 4 + j) * TILE_VECTORS + vector] = f[j]; }
    }
    workgroupBarrier();
    for (var step = 0; step < STEPS; step++) {
      for (var j = 0; j < THREAD_COLUMNS; j++) {
        let at = step * 4 * TILE_VECTORS + j * WG_X + local.x;
        let f = mat4x4f(f_tile[at], f_tile[at + TILE_VECTORS], f_tile[at + 2 * TILE_VECTORS],
                        f_tile[at + 3 * TILE_VECTORS]);
        for (var i = 0; i < THREAD_ROWS; i++) { sums[i][j] += f * x_tile[(i * WG_Y + local.y) * STEPS + step]; }
      }
    }
    workgroupBarrier();
  }
  for (var i = 0; i < THREAD_ROWS; i++) {
    for (var j = 0; j < THREAD_COLUMNS; j++) {
      store(plane, first_row + i * WG_Y + local.y, first_column + (j * WG_X + local.x) * 4, sums[i][j]);
    }
  }
}
