#include "webgpu/shader/packed_input.h"

#include "core/memory/half_floats.h"
#include "core/memory/narrow_integers.h"
#include "core/text.h"
#include "webgpu/backend.h"

namespace tenure::webgpu {

std::optional<PackedInput> PackedInput::find(const Tensor& x) {
  if (!x.has_data() || x.storage()->find_copy(device())) return std::nullopt;
  if (const HalfFloats* halves = HalfFloats::of(x); halves && !halves->has_many_subnormals())
    return PackedInput(halves->words(), true, {});
  const NarrowIntegers* integers = NarrowIntegers::of(x);
  if (!integers) return std::nullopt;
  const int bits = integers->bits();
  Transposed transposed;
  if (const std::size_t rows = integers->transposed_rows())
    transposed = {static_cast<int>(rows), static_cast<int>(x.elements() / rows), 0, 0};
  return PackedInput(integers->words(), false,
                     {bits == 8 ? 2 : 3, bits, (1 << bits) - 1, integers->is_signed() ? 1 << (bits - 1) : 0},
                     transposed);
}

void PackedInput::add_to(Dispatch& dispatch, const char* name) const {
  dispatch.input(name, words_);
  if (is_half_) {
    dispatch.declare(text("fn ", name, "_pair(i:i32)->vec2f{return unpack2x16float(bitcast<u32>(", name,
                          "[i]));}fn ", name, "_element(e:i32)->f32{return ", name, "_pair(e>>1u)[e&1];}fn ",
                          name, "_vector(v:i32)->vec4f{return vec4f(", name, "_pair(2*v),", name,
                          "_pair(2*v+1));}"));
    return;
  }
  if (transposed_) dispatch.set("stored_rows", *transposed_);
  // Neighbours of a vector are in one word, unless the transpose is stored.
  const std::string words =
      transposed_ ? text(name, "[j.x],", name, "[j.y],", name, "[j.z],", name, "[j.w]") : text(name, "[j.x]");
  dispatch.set("stored", format_)
      .declare(text("fn ", name, "_stored(i:vec4i)->vec4i{let p=params.stored;",
                    transposed_ ? "let r=params.stored_rows;let e=i%r.y*r.x+i/r.y;" : "let e=i;",
                    "let shift=vec4u((e&vec4i((1<<u32(p.x))-1))*p.y);let j=e>>vec4u(u32(p.x));let w=vec4i(",
                    words, ");return (((w>>shift)&vec4i(p.z))^vec4i(p.w))-vec4i(p.w);}fn ", name,
                    "_element(e:i32)->i32{return ", name, "_stored(vec4i(e)).x;}fn ", name,
                    "_vector(v:i32)->vec4i{return ", name, "_stored(4*v+vec4i(0,1,2,3));}"));
}

}  // namespace tenure::webgpu
