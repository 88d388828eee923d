// LANES threads of a workgroup sum a tile. Neighbouring threads read neighbouring columns.

const TILES = 64 / LANES;

var<workgroup> lanes: array<array<vec4i, ROWS>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) index: u32) {
  let thread = i32(index);
  let tile = i32(flat_workgroup(group, groups)) * TILES + thread % TILES;
  let q = tile / params.vectors;
  let row = q * ROWS;
  let v = tile - q * params.vectors;
  // Threads of tiles past the end reach the barrier, too.
  lanes[thread] = lane_sums(min(row, params.rows - 1), v, thread / TILES);
  workgroupBarrier();
  if (thread >= TILES || row >= params.rows) { return; }
  var sums: array<vec4i, ROWS>;
  for (var lane = 0; lane < LANES; lane++) {
    for (var r = 0; r < ROWS; r++) { sums[r] += lanes[thread + lane * TILES][r]; }
  }
  store_sums(row, v, sums);
}
