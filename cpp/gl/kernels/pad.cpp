#include "gl/device/value.h"
#include "gl/kernels.h"
#include "gl/shader/vec4_pass.h"

namespace tenure::gl {
namespace {

// MIRROR 0 pads with a value, 1 reflects without the border, 2 reflects with the border. Each dimension's
// index is converted to the input's, the last dimension first.
constexpr std::string_view kSource = R"(
  uniform int extent[RANK], before[RANK], inside[RANK];
  #if MIRROR == 0
  uniform T value;
  #define PLACE(d) hit = hit && i >= 0 && i < inside[d];
  #else
  #define PLACE(d) i = i < 0 ? 1 - MIRROR - i : i >= inside[d] ? 2 * inside[d] - i + MIRROR - 3 : i;
  #endif
  #define PEEL(d)                      \
    q = idiv(e, extent[d]);            \
    i = e - q * extent[d] - before[d]; \
    e = q;                             \
    PLACE(d)                           \
    place += i * step;                 \
    step *= inside[d];

  V at(int e) {
    bool hit = true;
    int i, q, place = 0, step = 1;
  #if RANK > 7
    PEEL(7)
  #endif
  #if RANK > 6
    PEEL(6)
  #endif
  #if RANK > 5
    PEEL(5)
  #endif
  #if RANK > 4
    PEEL(4)
  #endif
  #if RANK > 3
    PEEL(3)
  #endif
  #if RANK > 2
    PEEL(2)
  #endif
  #if RANK > 1
    PEEL(1)
  #endif
    i = e - before[0];
    PLACE(0)
    place += i * step;
  #if MIRROR == 0
    return hit ? X(hit ? place : 0) : V(value);
  #else
    return X(place);
  #endif
  }
)"_glsl;

/// Dimensions of a padding, merged where shaders need not distinguish them.
class Padding {
 public:
  /// `can_merge_into_padded` lets a dimension without pads merge into a padded one before it, which moves
  /// whole rows.
  Padding(const Shape& in, const Dims& before, const Dims& after, bool can_merge_into_padded) {
    for (int i = 0; i < in.size(); ++i) {
      const int last = rank_ - 1;
      const bool unpadded = before[i] == 0 && after[i] == 0;
      if (rank_ > 0 && unpadded && (can_merge_into_padded || extent_[last] == inside_[last])) {
        for (auto* values : {extent_, before_, inside_}) values[last] *= in[i];
      } else {
        extent_[rank_] = before[i] + in[i] + after[i];
        before_[rank_] = before[i];
        inside_[rank_++] = in[i];
      }
    }
  }

  /// True if pads and input are whole texels along the last dimension.
  bool whole() const {
    const int last = rank_ - 1;
    return extent_[last] % 4 == 0 && before_[last] % 4 == 0 && inside_[last] % 4 == 0;
  }

  void describe(Vec4Pass& pass) {
    for (auto* values : {extent_, before_, inside_}) values[rank_ - 1] = pass.units(values[rank_ - 1]);
    const auto rank = static_cast<std::size_t>(rank_);
    pass.variant("RANK", rank_)
        .set("extent", std::span<const int>(extent_, rank))
        .set("before", std::span<const int>(before_, rank))
        .set("inside", std::span<const int>(inside_, rank));
  }

 private:
  int rank_ = 0;
  int extent_[kMaxRank];
  int before_[kMaxRank];
  int inside_[kMaxRank];
};

}  // namespace

void pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<PadAttrs>();
  Padding padding(args.in[0].shape(), attrs.before, attrs.after, true);
  Vec4Pass pass("pad", padding.whole());
  pass.variant("MIRROR", 0).input("x", args.in[0]);
  padding.describe(pass);
  set_value(pass, "value", args.out.dtype(), double{attrs.value});
  pass.draw(args.out, kSource);
}

void mirror_pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<MirrorPadAttrs>();
  Padding padding(args.in[0].shape(), attrs.before, attrs.after, false);
  // A mirrored texel would have its elements in the wrong order.
  const int last = args.in[0].rank() - 1;
  const bool whole = padding.whole() && attrs.before[last] == 0 && attrs.after[last] == 0;
  Vec4Pass pass("pad", whole);
  pass.variant("MIRROR", attrs.symmetric ? 2 : 1).input("x", args.in[0]);
  padding.describe(pass);
  pass.draw(args.out, kSource);
}

}  // namespace tenure::gl
