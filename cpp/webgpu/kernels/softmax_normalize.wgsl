fn at(i: i32) -> U {
  let row = rows[i / params.width];
  if (LOG) { return x[i] - row.x - log(row.y); }
  return exp(x[i] - row.x) / row.y;
}
