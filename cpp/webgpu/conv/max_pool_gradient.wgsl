// A window passes its gradient to the element that was its maximum.
fn share(window: Window, i: i32, c: i32) -> U {
  let at = window.index * params.depth + c;
  return select(U(0), dy[at], positions[at] == elements_of(i));
}
