#include "webgpu/kernels.h"
#include "webgpu/movement/pad.wgsl.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {
namespace {

/// Dimensions of a padding, merged where shaders need not distinguish them.
class Padding {
 public:
  /// `can_merge_into_padded` lets a dimension without pads merge into a padded one before it, which moves
  /// whole rows.
  Padding(const Shape& in, const Dims& before, const Dims& after, bool can_merge_into_padded) {
    for (int i = 0; i < in.size(); ++i) {
      const int last = rank_ - 1;
      const bool unpadded = before[i] == 0 && after[i] == 0;
      if (rank_ > 0 && unpadded && (can_merge_into_padded || extent(last) == inside(last))) {
        for (int k = 0; k < 3; ++k) dims_[4 * last + k] *= in[i];
      } else {
        int* dim = &dims_[4 * rank_++];
        dim[0] = before[i] + in[i] + after[i];
        dim[1] = before[i];
        dim[2] = in[i];
      }
    }
  }

  /// True if pads and input are whole vec4s along the last dimension.
  bool has_whole_vec4s() const {
    const int* dim = &dims_[4 * (rank_ - 1)];
    return dim[0] % 4 == 0 && dim[1] % 4 == 0 && dim[2] % 4 == 0;
  }

  /// Pads x with a value, or mirrors it; in vec4s if `by_vec4`.
  void run(const Tensor& x, int mirror, double value, bool by_vec4, Tensor& out) {
    Dispatch dispatch("pad");
    dispatch.declare(by_vec4 ? "alias Unit=T4;" : "alias Unit=T;")
        .constant("kRank", rank_)
        .constant("kMirror", mirror);
    if (by_vec4) {
      for (int k = 0; k < 3; ++k) dims_[4 * (rank_ - 1) + k] /= 4;
      dispatch.input4("x", x).output4();
    } else {
      dispatch.input("x", x);
    }
    dispatch.set_value("value", x.dtype(), value)
        .set("dims", std::span<const int>(dims_, static_cast<std::size_t>(4 * rank_)));
    dispatch.elements(out, wgsl::kPad);
  }

 private:
  int extent(int d) const { return dims_[4 * d]; }
  int inside(int d) const { return dims_[4 * d + 2]; }

  int rank_ = 0;
  int dims_[4 * kMaxRank] = {};
};

}  // namespace

void pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<PadAttrs>();
  Padding padding(args.in[0].shape(), attrs.before, attrs.after, true);
  padding.run(args.in[0], 0, double{attrs.value}, padding.has_whole_vec4s(), args.out);
}

void mirror_pad(const KernelArgs& args) {
  const auto attrs = args.attrs.as<MirrorPadAttrs>();
  Padding padding(args.in[0].shape(), attrs.before, attrs.after, false);
  // A mirrored vec4 would have its elements in the wrong order.
  const int last = args.in[0].rank() - 1;
  const bool by_vec4 = padding.has_whole_vec4s() && attrs.before[last] == 0 && attrs.after[last] == 0;
  padding.run(args.in[0], attrs.symmetric ? 2 : 1, 0, by_vec4, args.out);
}

}  // namespace tenure::webgpu
