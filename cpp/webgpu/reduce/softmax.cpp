#include <algorithm>

#include "webgpu/kernels.h"
#include "webgpu/reduce/softmax_combine.wgsl.h"
#include "webgpu/reduce/softmax_normalize.wgsl.h"
#include "webgpu/reduce/softmax_short.wgsl.h"
#include "webgpu/reduce/softmax_statistics.wgsl.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

// Minimum number of elements of a part, which one thread reads, and the number of parts that should run in
// parallel.
constexpr std::size_t kMinPartLength = 256;
constexpr std::size_t kTargetParts = 1024;
/// Elements of the statistics of a row or a part of one.
constexpr std::int32_t kStatistics = 4;

/// Declares exp_unit() for vectors or elements, with the CPU's results for NaN and infinities.
void declare_exp(Dispatch& dispatch, bool whole) {
  dispatch.declare(kFloatAliases)
      .declare(whole ? "fn exp_unit(x:V)->V{return exp_(x);}" : "fn exp_unit(x:E)->E{return exp_(V(x)).x;}");
}

Tensor vectors_for(std::size_t count) {
  return Tensor::deferred({{static_cast<std::int32_t>(count), kStatistics}, DType::kFloat32});
}

/// Returns a vector for each row, of its maximum and the sum of exp(x - maximum).
Tensor get_statistics(const Tensor& x, std::size_t rows, std::size_t width) {
  const bool whole = width % 4 == 0;
  const std::size_t wanted = std::min(kTargetParts / rows, width / kMinPartLength);
  const std::size_t parts = std::max<std::size_t>(wanted, 1);
  const std::size_t units = whole ? width / 4 : width;
  const std::size_t chunk = (units + parts - 1) / parts;
  Tensor part_statistics = vectors_for(rows * parts);
  Dispatch dispatch("softmax_statistics");
  dispatch
      .declare(whole ? "alias X=vec4f;"
                       "fn max_across(x:X)->f32{return max(max(x.x,x.y),max(x.z,x.w));}"
                       "fn sum_across(x:X)->f32{return x.x+x.y+(x.z+x.w);}"
                     : "alias X=f32;fn max_across(x:X)->f32{return x;}fn sum_across(x:X)->f32{return x;}")
      .output4()
      .set("width", static_cast<int>(units))
      .set("parts", static_cast<int>(parts))
      .set("chunk", static_cast<int>(chunk));
  declare_exp(dispatch, whole);
  whole ? dispatch.input4("x", x) : dispatch.input("x", x);
  dispatch.elements(part_statistics, wgsl::kSoftmaxStatistics);
  if (parts == 1) return part_statistics;
  Tensor row_statistics = vectors_for(rows);
  Dispatch("softmax_combine")
      .declare(kFloatAliases)
      .input4("x", part_statistics)
      .output4()
      .set("parts", static_cast<int>(parts))
      .elements(row_statistics, wgsl::kSoftmaxCombine);
  return row_statistics;
}

/// Computes rows of fewer elements than their statistics have, for which a buffer might be too large.
void normalize_short(const KernelArgs& args, bool log) {
  Dispatch dispatch("softmax_short");
  declare_exp(dispatch, false);
  dispatch.input("x", args.in[0]).constant("LOG", log).set("width", args.in[0].shape().back());
  dispatch.elements(args.out, wgsl::kSoftmaxShort);
}

void normalize(const KernelArgs& args, bool log) {
  const Tensor& x = args.in[0];
  const auto width = static_cast<std::size_t>(x.shape().back());
  if (x.shape().back() < kStatistics) return normalize_short(args, log);
  const Tensor rows = get_statistics(x, x.elements() / width, width);
  Vec4Dispatch dispatch("softmax_normalize", width % 4 == 0);
  declare_exp(dispatch, dispatch.whole());
  dispatch.units("x", x).input4("rows", rows).constant("LOG", log).set("width", dispatch.count(width));
  dispatch.run(args.out, wgsl::kSoftmaxNormalize);
}

}  // namespace

void softmax(const KernelArgs& args) { normalize(args, false); }
void log_softmax(const KernelArgs& args) { normalize(args, true); }

}  // namespace tenure::webgpu
