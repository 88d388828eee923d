// Selects a where test is not 0, and b elsewhere. The inputs of the indexer are test, a and b (indexer.wgsl).
fn run(i: i32) {
  let at = positions(i);
  let t = vec4i(test[at[0].x], test[at[1].x], test[at[2].x], test[at[3].x]);
  let p = T4(T(a[at[0].y]), T(a[at[1].y]), T(a[at[2].y]), T(a[at[3].y]));
  let q = T4(T(b[at[0].z]), T(b[at[1].z]), T(b[at[2].z]), T(b[at[3].z]));
  out[i] = select(q, p, t != vec4i(0));
}
