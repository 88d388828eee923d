#include <algorithm>
#include <cmath>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor constant_of_shape(const Call& call) {
  const Shape shape = call.shape(0);
  const Tensor value = call.attrs().tensor("value");
  if (!value) return fill({.shape = shape});
  check_shape(value.elements() == 1, "its value has the shape ", value.shape());
  Shape ones;
  for (int i = 0; i < shape.rank; ++i) ones.push_back(1);
  return broadcast_to(reshape(value, {ones}), {shape});
}

/// The step is 1 without an input for it, which the op of com.microsoft may leave out.
Tensor numbers(const Call& call) {
  const DType dtype = call[0].dtype();
  const bool has_step = has(call, 2);
  // A float does not hold every int32.
  const auto read = [&](int i) {
    return dtype == DType::kInt32 ? static_cast<double>(call.integer(i)) : call.number(i);
  };
  const double start = read(0);
  const double step = has_step ? read(2) : 1;
  check(step != 0, "it has a step of 0");
  const double count = std::max(0.0, std::ceil((read(1) - start) / step));
  check_shape(count <= INT32_MAX, "a range of ", count, " values is too long");
  RangeAttrs attrs{.step = 0, .count = static_cast<std::int32_t>(count), .dtype = dtype};
  if (dtype == DType::kInt32) {
    attrs.int_start = call.integer(0);
    attrs.int_step = has_step ? call.integer(2) : 1;
  } else {
    attrs.start = static_cast<float>(start);
    attrs.step = static_cast<float>(step);
  }
  return range(attrs);
}

/// Keeps the elements on one side of a diagonal of the last two axes, and sets the others to 0.
Tensor triangle(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() >= 2, "expected matrices, got ", x.shape());
  const std::int32_t k = has(call, 1) ? call.integer(1) : 0;
  const std::int32_t rows = x.shape().back(1);
  const std::int32_t columns = x.shape().back();
  // Beyond the corners the diagonal does not matter, and cannot overflow.
  const std::int32_t offset = std::clamp(k, -rows, columns);
  const Tensor row =
      reshape(range({.step = 0, .int_start = offset, .int_step = 1, .count = rows, .dtype = DType::kInt32}),
              {Shape{rows, 1}});
  const Tensor column = range({.step = 0, .int_step = 1, .count = columns, .dtype = DType::kInt32});
  const Tensor keeps =
      call.attrs().flag("upper", true) ? greater_equal(column, row) : less_equal(column, row);
  return where(keeps, x, zero_like(x));
}

constexpr Row kRows[] = {
    {"ConstantOfShape", constant_of_shape},
    {"Range", numbers},
    {"Trilu", triangle},
};

}  // namespace

std::span<const Row> creation_rows() { return kRows; }

}  // namespace tenure::onnx
