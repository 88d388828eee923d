#include "import/tflite/row.h"

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr FamilyRows kFamilies[] = {
    convolution_rows, math_rows,    movement_rows, activation_rows,
    matrix_rows,      pooling_rows, image_rows,    reduction_rows,
};

}  // namespace

const OpRow* find_row(std::span<const FamilyRows> families, std::int32_t code) {
  for (const FamilyRows family : families) {
    for (const OpRow& row : family()) {
      if (row.code == code) return &row;
    }
  }
  return nullptr;
}

bool is_rare(const OperatorCode& code) { return !find_row(kFamilies, code.builtin); }

const OpRow* find_row(std::int32_t code) {
  const OpRow* row = find_row(kFamilies, code);
  return row ? row : find_rare_row(code);
}

std::string get_op_name(std::int32_t code) {
  if (const OpRow* row = find_row(code)) return std::string(row->row.op);
  return get_rowless_name(code);
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

std::int32_t read_positive(const Call& call, std::string_view name) {
  const std::int32_t number = call.attrs().integer(name, 1);
  check(number > 0, "its ", name, " is ", number);
  return number;
}

Padding read_padding(const Call& call) {
  const std::int32_t number = call.attrs().integer("padding", 0);
  check(number == 0 || number == 1, "its padding is number ", number, "; 0 is SAME and 1 is VALID");
  return number == 0 ? Padding::kSame : Padding::kValid;
}

}  // namespace tenure::tflite
