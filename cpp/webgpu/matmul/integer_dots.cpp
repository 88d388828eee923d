#include "webgpu/matmul/integer_dots.h"

#include <climits>

#include "core/text.h"
#include "webgpu/matmul/integer_dots.wgsl.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/matmul/pack_rows.wgsl.h"
#include "webgpu/matmul/pack_rows_workgroup.wgsl.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Threads of a workgroup that pack a row together.
constexpr int kPackLanes = 16;
/// Packed, a row takes two words more, and more time than fewer columns win back.
constexpr int kMinDepth = 4;
constexpr int kMinColumns = 4;
/// The sum of the bytes of a longer row may be kWide.
constexpr int kMaxDepth = 1 << 23;
constexpr int kWide = INT_MIN;

bool is_packed_dot_allowed = true;

}  // namespace

void allow_packed_dot(bool is_allowed) { is_packed_dot_allowed = is_allowed; }

std::optional<IntegerDots> IntegerDots::find(const Tensor& b, const Sizes& sizes) {
  if (!is_packed_dot_allowed || !context().limits().has_packed_dot) return std::nullopt;
  if (sizes.depth < kMinDepth || sizes.depth > kMaxDepth || sizes.columns < kMinColumns || sizes.taps == 0)
    return std::nullopt;
  std::optional<PackedInput> packed = PackedInput::find(b);
  if (!packed || !packed->has_bytes()) return std::nullopt;
  const int stored_depth = packed->transposed_rows();
  const bool has_whole_words = stored_depth == 0
                                   ? sizes.columns % 4 == 0
                                   : stored_depth == sizes.taps * sizes.depth && sizes.depth % 4 == 0;
  if (!has_whole_words) return std::nullopt;
  return IntegerDots(*std::move(packed), sizes);
}

const char* IntegerDots::pack_name() const { return is_software() ? "pack_rows" : "pack_rows_workgroup"; }
const char* IntegerDots::name() const {
  return tiles_.is_workgroup() ? "integer_dots_workgroup" : "integer_dots";
}

void IntegerDots::add_values(Dispatch& dispatch, const Tensor& a) const {
  if (sizes_.depth % 4 == 0) {
    dispatch.input4("a", a).declare("fn values(e:i32)->vec4i{return vec4i(a[e>>2u]);}");
  } else {
    dispatch.input("a", a).declare("fn values(e:i32)->vec4i{return vec4i(vec4(a[e],a[e+1],a[e+2],a[e+3]));}");
  }
}

void IntegerDots::pack(Dispatch& dispatch, std::string_view functions) {
  const int stride = words() + 2;
  rows_ = Tensor::deferred({{sizes_.sources + 1, stride}, DType::kInt32});
  const int lanes = is_software() ? 1 : kPackLanes;
  dispatch.set("rows", sizes_.sources)
      .set("depth", sizes_.depth)
      .set("words", words())
      .constant("LANES", lanes)
      .constant("WIDE", kWide);
  const auto rows = static_cast<std::size_t>(sizes_.sources) + 1;
  if (lanes == 1) {
    return dispatch.threads(rows_, rows, {functions, wgsl::kPackRows, R"(
      fn run(i: i32) { pack(i, 0, lane_range(i, 0)); }
    )"_wgsl});
  }
  constexpr std::size_t kRows = Dispatch::kThreads / kPackLanes;
  dispatch.workgroups(rows_, fold_workgroups((rows + kRows - 1) / kRows),
                      {functions, wgsl::kPackRows, wgsl::kPackRowsWorkgroup});
}

void IntegerDots::pack(const Tensor& a) {
  Dispatch dispatch(pack_name());
  add_values(dispatch, a);
  pack(dispatch);
}

void IntegerDots::add_to(Dispatch& dispatch) const {
  b_.add_words_to(dispatch, "b");
  dispatch.input("bytes", rows_)
      .set("depth", sizes_.depth)
      .set("words", words())
      .set("taps", sizes_.taps)
      .set("row_of_zeros", sizes_.sources)
      // Unsigned bytes become signed, less 128, by their highest bit.
      .set("b_flip", b_.is_signed() ? 0 : static_cast<int>(0x80808080))
      .set("b_offset", b_.is_signed() ? 0 : 128)
      .constant("WIDE", kWide);
  if (b_.transposed_rows() > 0) {
    dispatch.declare(R"(
      fn b_block(tap: i32, q: i32, v: i32) -> vec4u {
        let at = (v * 4 + vec4i(0, 1, 2, 3)) * params.taps * params.words + tap * params.words + q;
        return bitcast<vec4u>(vec4i(b[at.x], b[at.y], b[at.z], b[at.w]) ^ vec4i(params.b_flip));
      }
    )"_wgsl);
    return;
  }
  // Words of four columns, whose bytes are transposed. Those behind the last row of a tap are of any value.
  dispatch.declare(R"(
    fn b_block(tap: i32, q: i32, v: i32) -> vec4u {
      let at = (tap * params.depth + q * 4) * params.vectors + v + vec4i(0, 1, 2, 3) * params.vectors;
      let w = bitcast<vec4u>(vec4i(b[at.x], b[at.y], b[at.z], b[at.w]) ^ vec4i(params.b_flip));
      let mask = vec2u(0x00ff00ffu);
      let even = (w.xz & mask) | ((w.yw & mask) << vec2u(8));
      let odd = ((w.xz >> vec2u(8)) & mask) | (w.yw & ~mask);
      let low = vec2u(0xffffu);
      let first = vec2u(even.x, odd.x);
      let last = vec2u(even.y, odd.y);
      return vec4u((first & low) | (last << vec2u(16)), (first >> vec2u(16)) | (last & ~low));
    }
  )"_wgsl);
}

void IntegerDots::launch(Dispatch& dispatch, Tensor& out, std::string_view functions) const {
  tiles_.launch(dispatch, out, functions, wgsl::kIntegerDots);
}

}  // namespace tenure::webgpu
