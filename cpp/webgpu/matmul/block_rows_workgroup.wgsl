// LANES neighbouring threads of a workgroup sum a column: they read neighbouring units.

const COLUMNS = 64 / LANES;

var<workgroup> lanes: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) index: u32) {
  let thread = i32(index);
  let column = i32(flat_workgroup(group, groups)) * COLUMNS + thread / LANES;
  // Threads of columns past the end reach the barrier, too.
  lanes[thread] = lane_sums(0, min(column, params.columns - 1), thread % LANES);
  workgroupBarrier();
  if (thread % LANES > 0 || column >= params.columns) { return; }
  var sums = vec4f();
  for (var lane = 0; lane < LANES; lane++) { sums += lanes[thread + lane]; }
  store_sums(0, column, sums);
}
