#include "import/onnx/row.h"

#include <algorithm>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

constexpr Family kFamilies[] = {
    {"", math_rows},     {"", movement_rows},      {"", convolution_rows}, {"", activation_rows},
    {"", indexing_rows}, {"", matrix_rows},        {"", reduction_rows},   {"", pooling_rows},
    {"", creation_rows}, {"", normalization_rows}, {"", image_rows},       {"", resize_rows},
};

/// The ops of quantized_rows/, of either domain.
constexpr std::string_view kQuantizedOps[] = {
    "ConvInteger",           "DequantizeLinear",
    "DynamicQuantizeLinear", "DynamicQuantizeMatMul",
    "GatherBlockQuantized",  "MatMulBnb4",
    "MatMulInteger",         "MatMulIntegerToFloat",
    "MatMulNBits",           "QGemm",
    "QuantizeLinear",
};
/// Prefix of the other ops in quantized_rows/.
constexpr std::string_view kLinearPrefix = "QLinear";
/// The ops of transformer_rows/ whose domain is not com.microsoft.
constexpr std::string_view kTransformerOps[] = {"Attention", "RotaryEmbedding",
                                                "SimplifiedLayerNormalization"};
/// The ops of rare_rows/ whose domain is com.microsoft.
constexpr std::string_view kRareContribOps[] = {
    "CDist",      "CropAndResize", "DynamicQuantizeLSTM", "DynamicTimeWarping", "ExpandDims", "GatherND",
    "GridSample", "Inverse",       "MaxpoolWithMask",     "NGramRepeatBlock",   "Pad",        "UnfoldTensor",
    "Unique",
};
/// Ops that the reader reads itself.
constexpr std::string_view kOpsWithoutRow[] = {"Constant", "If"};

bool contains(std::span<const std::string_view> ops, std::string_view op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

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

RowGroup find_group(std::string_view domain, std::string_view op) {
  const bool is_contrib = domain == kMicrosoft;
  const bool is_quantized = contains(kQuantizedOps, op) || op.starts_with(kLinearPrefix);
  if ((is_contrib || domain.empty()) && is_quantized) return RowGroup::kQuantized;
  if (is_contrib && contains(kRareContribOps, op)) return RowGroup::kRare;
  if (is_contrib || (domain.empty() && contains(kTransformerOps, op))) return RowGroup::kTransformer;
  const bool is_common = domain.empty() && (contains(kOpsWithoutRow, op) || find_row(kFamilies, domain, op));
  return is_common ? RowGroup::kCommon : RowGroup::kRare;
}

const Row* find_row(RowGroup group, std::string_view domain, std::string_view op) {
  switch (group) {
    case RowGroup::kCommon: return find_row(kFamilies, domain, op);
    case RowGroup::kQuantized: return find_quantized_row(domain, op);
    case RowGroup::kTransformer: return find_transformer_row(domain, op);
    case RowGroup::kRare: return find_rare_row(domain, op);
  }
  return nullptr;
}

ElementType element_type(const Call& call, int i) {
  const std::span<const double> types = call.attrs().numbers(kInputTypes);
  const auto at = static_cast<std::size_t>(i);
  return at < types.size() ? static_cast<ElementType>(types[at]) : ElementType::kUndefined;
}

std::optional<std::pair<std::int32_t, std::int32_t>> get_range(ElementType type) {
  switch (type) {
    case ElementType::kUint8: return std::pair(0, 255);
    case ElementType::kInt8: return std::pair(-128, 127);
    case ElementType::kUint16: return std::pair(0, 65535);
    case ElementType::kInt16: return std::pair(-32768, 32767);
    case ElementType::kUint4: return std::pair(0, 15);
    case ElementType::kInt4: return std::pair(-8, 7);
    case ElementType::kUint2: return std::pair(0, 3);
    case ElementType::kInt2: return std::pair(-2, 1);
    default: return {};
  }
}

Tensor wrap(const Tensor& x, ElementType type) {
  const auto range = get_range(type);
  if (!range) return x;
  const Tensor low = Tensor::scalar(range->first);
  // mod() has the sign of the divisor.
  return add(mod(sub(x, low), Tensor::scalar(range->second - range->first + 1)), low);
}

Tensor dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero) {
  return mul(as_dtype(zero ? sub(x, zero) : x, DType::kFloat32), scale);
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
