// A row x times the transpose of weights in blocks (block_weights.wgsl). LANES neighbouring threads of a workgroup sum a column,
// thread `lane` every LANES-th unit of 16 weights, which are of one block.

const COLUMNS = 64 / LANES;

var<workgroup> lanes: array<f32, 64>;

// Elements of x; zeros past its end, where the buffer may have others.
fn x_vector(vector: i32) -> vec4f {
  let k = vector * 4 + vec4i(0, 1, 2, 3);
  return select(vec4f(), x[vector], k < vec4i(params.depth));
}

fn lane_sum(column: i32, lane: i32) -> f32 {
  let units = (params.depth + 15) / 16;
  let first = (column * params.f_rows.x) << (u32(params.f_bits.z) - 2u);
  var sum = 0.0;
  for (var unit = lane; unit < units; unit += LANES) {
    let block = block_of(first + unit * 4);
    let zero = zero_point(block);
    var part = 0.0;
    for (var vector = unit * 4; vector < unit * 4 + 4; vector++) {
      part += dot(stored_weights(first + vector) - zero, x_vector(vector));
    }
    sum += part * scales[block];
  }
  return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) index: u32) {
  let thread = i32(index);
  let column = i32(flat_workgroup(group, groups)) * COLUMNS + thread / LANES;
  // Threads of columns past the end reach the barrier, too.
  lanes[thread] = lane_sum(min(column, params.columns - 1), thread % LANES);
  workgroupBarrier();
  if (thread % LANES > 0 || column >= params.columns) { return; }
  var sum = 0.0;
  for (var lane = 0; lane < LANES; lane++) { sum += lanes[thread + lane]; }
  out[column] = sum;
}
