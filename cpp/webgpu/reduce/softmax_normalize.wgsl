fn at(i: i32) -> U {
  let row = rows[i / params.width];
  if (LOG) { return x[i] - row.x - U(log_(V(row.y)).x); }
  return exp_unit(x[i] - row.x) / row.y;
}
