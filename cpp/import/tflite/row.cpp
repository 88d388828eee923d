#include "import/tflite/row.h"

#include <algorithm>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr std::span<const OpRow> (*kFamilies[])() = {
    convolution_rows, math_rows,      movement_rows, activation_rows, matrix_rows,    pooling_rows,
    image_rows,       reduction_rows, creation_rows, indexing_rows,   recurrent_rows,
};

constexpr std::span<const OpRow> (*kCustomFamilies[])() = {custom_rows, detection_rows, unpooling_rows};

}  // namespace

const OpRow* find_row(std::int32_t code) {
  for (const auto family : kFamilies) {
    const std::span<const OpRow> rows = family();
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const OpRow& row) { return row.code == code; });
    if (at != rows.end()) return &*at;
  }
  return nullptr;
}

const OpRow* find_custom_row(std::string_view name) {
  for (const auto family : kCustomFamilies) {
    const std::span<const OpRow> rows = family();
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const OpRow& row) { return row.row.op == name; });
    if (at != rows.end()) return &*at;
  }
  return nullptr;
}

Tensor activate(const Call& call, const Tensor& x) {
  switch (const std::int32_t number = call.attrs().integer("activation", 0)) {
    case 0: return x;
    case 1: return relu(x);
    case 2: return clip_by_value(x, {.min = -1, .max = 1});
    case 3: return run(Op::relu6, {&x});
    case 4: return tanh(x);
    case 5: return as_dtype(less(x, scalar_like(x, 0)), x.dtype());
    default: fail("its fused activation is number ", number);
  }
}

Padding read_padding(const Call& call) {
  const std::int32_t number = call.attrs().integer("padding", 0);
  check(number == 0 || number == 1, "its padding is number ", number, "; 0 is SAME and 1 is VALID");
  return number == 0 ? Padding::kSame : Padding::kValid;
}

}  // namespace tenure::tflite
