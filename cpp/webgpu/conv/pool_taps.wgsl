// The elements of a pooling's windows that are inside the input. params.h and params.w are an axis' input extent, window,
// stride and dilation; params.sizes has the output's height and width and the pads at the top and on the left.

struct Taps {
  begin: vec2i, // row and column of the first
  end: vec2i,   // past the last
  image: i32,   // first row of the image
  channel: i32,
}

fn first_inside(at: i32, dilation: i32) -> i32 { return select(at, at + (dilation - 1 - at) / dilation * dilation, at < 0); }

fn get_taps(i: i32) -> Taps {
  let q = i / params.depth;
  let r = q / params.sizes.y;
  let n = r / params.sizes.x;
  let top = (r - n * params.sizes.x) * params.h.z - params.sizes.z;
  let left = (q - r * params.sizes.y) * params.w.z - params.sizes.w;
  let bottom = min(top + params.h.y * params.h.w, params.h.x);
  let right = min(left + params.w.y * params.w.w, params.w.x);
  return Taps(vec2i(first_inside(top, params.h.w), first_inside(left, params.w.w)), vec2i(bottom, right), n * params.h.x,
              i - q * params.depth);
}

fn tap_at(taps: Taps, y: i32, z: i32) -> i32 { return ((taps.image + y) * params.w.x + z) * params.depth + taps.channel; }
