// The rank of an element in its row decides where its index goes: no two have the same, so that nothing is sorted in place. NaN
// comes first, and the first of equal elements.

fn run(i: i32) {
  let row = i / params.width;
  let column = i - row * params.width;
  let key = descending_bits(x[i]);
  var rank = 0;
  for (var k = 0; k < params.width; k++) {
    let other = descending_bits(x[row * params.width + k]);
    if (other < key || (other == key && k < column)) { rank++; }
  }
  if (rank < params.k) { out[row * params.k + rank] = column; }
}
