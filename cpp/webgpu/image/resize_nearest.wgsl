fn at(i: i32) -> U {
  let spot = get_spot(i);
  return value(spot, clamp(spot.at.x / params.rows.z, 0, params.rows.w - 1),
               clamp(spot.at.y / params.columns.z, 0, params.columns.w - 1));
}
