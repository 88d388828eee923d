#include "import/onnx/row.h"

#include <algorithm>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";

constexpr Family kFamilies[] = {
    {"", math_rows},
    {"", movement_rows},
    {"", convolution_rows},
    {"", activation_rows},
    {"", indexing_rows},
    {"", matrix_rows},
    {"", reduction_rows},
    {"", pooling_rows},
    {"", creation_rows},
    {"", normalization_rows},
    {"", image_rows},
    {"", element_rows},
    {"", linear_algebra_rows},
    {"", random_rows},
    {"", resize_rows},
    {"", quantized_rows},
    {kMicrosoft, contrib_quantized_rows},
    {"", attention_rows},
    {"", rotary_rows},
    {"", simplified_rows},
    {kMicrosoft, contrib_rows},
    {kMicrosoft, contrib_attention_rows},
    {kMicrosoft, contrib_rotary_rows},
    {kMicrosoft, block_quantized_rows},
};

}  // namespace

const Row* find_row(std::span<const Family> families, std::string_view domain, std::string_view op) {
  for (const Family& family : families) {
    if (family.domain != domain) continue;
    const std::span<const Row> rows = family.rows();
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.op == op; });
    if (at != rows.end()) return &*at;
  }
  return nullptr;
}

bool is_rare(std::string_view domain, std::string_view op) {
  constexpr std::string_view kWithoutRow[] = {"Constant", "If", "Loop", "Scan"};
  const bool has_no_row = domain.empty() && std::find(std::begin(kWithoutRow), std::end(kWithoutRow), op) !=
                                                std::end(kWithoutRow);
  return !has_no_row && !find_row(kFamilies, domain, op);
}

const Row* find_row(std::string_view domain, std::string_view op) {
  const Row* row = find_row(kFamilies, domain, op);
  return row ? row : find_rare_row(domain, op);
}

ElementType element_type(const Call& call, int i) {
  const std::span<const double> types = call.attrs().numbers(kInputTypes);
  const auto at = static_cast<std::size_t>(i);
  return at < types.size() ? static_cast<ElementType>(types[at]) : ElementType::kUndefined;
}

std::optional<std::pair<std::int32_t, std::int32_t>> range_of(ElementType type) {
  switch (type) {
    case ElementType::kUint8: return std::pair(0, 255);
    case ElementType::kInt8: return std::pair(-128, 127);
    case ElementType::kUint16: return std::pair(0, 65535);
    case ElementType::kInt16: return std::pair(-32768, 32767);
    case ElementType::kUint4: return std::pair(0, 15);
    case ElementType::kInt4: return std::pair(-8, 7);
    default: return {};
  }
}

Tensor wrap(const Tensor& x, ElementType type) {
  const auto range = range_of(type);
  if (!range) return x;
  const Tensor low = Tensor::scalar(range->first);
  // mod() has the sign of the divisor.
  return add(mod(sub(x, low), Tensor::scalar(range->second - range->first + 1)), low);
}

std::optional<Dims> read_axes(const Call& call, int input, std::int32_t since) {
  if (opset(call) >= since) {
    if (!has(call, input)) return {};
    return call.dims(input);
  }
  if (!call.attrs().has("axes")) return {};
  const std::vector<std::int32_t> axes = call.attrs().integers("axes");
  return Dims(std::span<const std::int32_t>(axes));
}

}  // namespace tenure::onnx
