// LANES neighbouring threads of a workgroup pack a row.

const ROWS = 64 / LANES;

var<workgroup> ranges: array<vec3i, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) index: u32) {
  let thread = i32(index);
  let lane = thread % LANES;
  let row = i32(flat_workgroup(group, groups)) * ROWS + thread / LANES;
  // Threads of rows past the end reach the barrier, too.
  ranges[thread] = lane_range(min(row, params.rows), lane);
  workgroupBarrier();
  if (row > params.rows) { return; }
  var range = ranges[thread - lane];
  for (var i = 1; i < LANES; i++) { range = merge(range, ranges[thread - lane + i]); }
  pack(row, lane, range);
}
