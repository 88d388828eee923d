// Ops whose output shapes depend on input values.

#include <algorithm>

#include "import/graphdef/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::graphdef {
namespace {

/// Returns the indices, [n, rank], of the elements that are not 0.
Tensor nonzero_indices(const Call& call) {
  const Tensor& given = call.value(0);
  const Tensor condition = given.dtype() == DType::kBool ? given : cast(given, {DType::kBool});
  const std::span<const std::uint8_t> values = condition.values<std::uint8_t>();
  const auto count =
      std::count_if(values.begin(), values.end(), [](std::uint8_t value) { return value != 0; });
  const Dims strides = condition.shape().strides();
  Tensor result({{static_cast<std::int32_t>(count), condition.rank()}, DType::kInt32});
  auto* to = result.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    auto rest = static_cast<std::int32_t>(i);
    for (const std::int32_t stride : strides) {
      *to++ = rest / stride;
      rest %= stride;
    }
  }
  return result;
}

/// Returns the elements of x that are not in y, and their indices in x.
EdgeValues difference(const Call& call) {
  const Tensor& x = call.value(0);
  const Tensor& y = call.value(1);
  check(x.dtype() == y.dtype(), "x and y should have the same dtype, but got x (", get_name(x.dtype()),
        ") and y (", get_name(y.dtype()), ").");
  check_shape(x.rank() == 1 && y.rank() == 1, "x and y should be 1D tensors, but got shapes ", x.shape(),
              " and ", y.shape(), ".");
  check(x.dtype() != DType::kString && x.dtype() != DType::kComplex64, "has no kernel for ",
        get_name(x.dtype()));
  const auto bytes_at = [](const Tensor& tensor, std::size_t i) {
    const std::size_t size = element_size(tensor.dtype());
    return std::string(tensor.data<char>() + i * size, size);
  };
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t i = 0; i < y.elements(); ++i) known[bytes_at(y, i)] = 0;
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < x.elements(); ++i) {
    if (!known.contains(bytes_at(x, i))) kept.push_back(static_cast<std::int32_t>(i));
  }
  const Tensor indices = tensor1d(kept);
  return {gather(x, indices), indices};
}

/// Runs NonMaxSuppression of the given version. V4 also returns the number of boxes, V5 that and the new
/// scores.
template <int version>
EdgeValues suppressed(const Call& call) {
  SuppressionAttrs attrs{.max_output_size = call.integer(2), .iou_threshold = call.number(3)};
  if (version > 2) attrs.score_threshold = call.number(4);
  if (version == 5) attrs.soft_sigma = call.number(5);
  if (version == 4) attrs.pads = call.attrs().flag("pad_to_max_output_size");
  const Tensors results = non_max_suppression(call.value(0), call.value(1), attrs);
  if (version == 5) return {results.begin(), results.end()};
  if (version == 4) return {results[0], results[2]};
  return {results[0]};
}

constexpr Row kRows[] = {
    {"NonMaxSuppressionV2", suppressed<2>},
    {"NonMaxSuppressionV3", suppressed<3>},
    {"NonMaxSuppressionV4", suppressed<4>, "selected_indices,valid_outputs"},
    {"NonMaxSuppressionV5", suppressed<5>, "selected_indices,selected_scores,valid_outputs"},
    {"Where", nonzero_indices},
    {"ListDiff", difference, "out,idx"},
};

}  // namespace

std::span<const Row> dynamic_rows() { return kRows; }

}  // namespace tenure::graphdef
