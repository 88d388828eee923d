#include <algorithm>

#include "core/error.h"
#include "webgpu/kernels.h"
#include "webgpu/reduce/bincount.wgsl.h"
#include "webgpu/reduce/search_sorted.wgsl.h"
#include "webgpu/reduce/topk.wgsl.h"
#include "webgpu/shader/kernel.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Maximum number of elements that a kernel reads in which each output or element reads a whole row.
constexpr std::size_t kMaxReads = std::size_t{1} << 28;

// The keys of cpu/reduce/sort.cpp.
constexpr std::string_view kFloatKey = R"(
  fn descending_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return 0u; }
    if (bits == 0x80000000u) { return 0x7fffffffu; }
    return select(~bits & 0x7fffffffu, bits, (bits >> 31u) == 1u);
  }
)"_wgsl;
constexpr std::string_view kIntKey = "fn descending_bits(x:i32)->u32{return 0x7fffffffu-u32(x);}";

}  // namespace

void topk_indices(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto width = static_cast<std::size_t>(x.shape().back());
  if (x.elements() > kMaxReads / width) return fall_back_to_cpu(Op::topk_indices, args);
  Dispatch("topk_indices")
      .declare(x.dtype() == DType::kFloat32 ? kFloatKey : kIntKey)
      .input("x", x)
      .set("width", static_cast<int>(width))
      .set("k", args.out.shape().back())
      .threads(args.out, x.elements(), wgsl::kTopk);
}

void search_sorted(const KernelArgs& args) {
  const Tensor& sorted = args.in[0];
  const Tensor& values = args.in[1];
  // The CPU compares different types as doubles.
  const bool is_same_type = (sorted.dtype() == DType::kFloat32) == (values.dtype() == DType::kFloat32);
  if (!is_same_type || sorted.elements() == 0) return fall_back_to_cpu(Op::search_sorted, args);
  Dispatch("search_sorted")
      .constant("RIGHT", args.attrs.as<SearchSortedAttrs>().right != 0)
      .input("sorted", sorted)
      .input("values", values)
      .set("extent", sorted.shape().back())
      .set("width", args.out.shape().back())
      .elements(args.out, wgsl::kSearchSorted);
}

void bincount(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto width = static_cast<std::size_t>(x.shape().back());
  const bool binary = args.attrs.as<BincountAttrs>().binary != 0;
  const bool has_weights = args.in[1].elements() > 0 && !binary;
  if (width == 0 || args.out.elements() > kMaxReads / width) return fall_back_to_cpu(Op::bincount, args);
  // Values that are only on the device are not downloaded to be checked.
  if (x.storage()->on_cpu()) {
    const auto values = x.values<std::int32_t>();
    check(std::all_of(values.begin(), values.end(), [](std::int32_t value) { return value >= 0; }),
          "Input x must be non-negative!");
  }
  Dispatch dispatch("bincount");
  dispatch.constant("BINARY", binary)
      .input("x", x)
      .set("size", args.out.shape().back())
      .set("width", static_cast<int>(width));
  if (has_weights) dispatch.input("weights", args.in[1]);
  dispatch
      .declare(has_weights ? "fn weight_of(k:i32)->T{return T(weights[k]);}"
                           : "fn weight_of(k:i32)->T{return T(1);}")
      .elements(args.out, wgsl::kBincount);
}

}  // namespace tenure::webgpu
