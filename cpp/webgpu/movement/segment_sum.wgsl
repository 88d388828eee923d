// x is [batches, outer, count, run], the ids are [batches, count], the output [batches, outer, segments, run]. Each output reads
// all ids, so that sums are always in the same order. The sum of bools, IS_BOOL, is their disjunction.
fn at(i: i32) -> U {
  let row = i / params.run;
  let o = row / params.segments;
  let segment = row - o * params.segments;
  let first = o / params.outer * params.count;
  let begin = o * params.count * params.run + i - row * params.run;
  var s = U(0);
  for (var k = 0; k < params.count; k++) {
    if (ids[first + k] == segment) { s += x[begin + k * params.run]; }
  }
  return select(s, min(s, U(1)), IS_BOOL);
}
