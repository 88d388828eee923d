#include "model/executor/row.h"

#include <algorithm>
#include <cmath>

#include "model/executor/executor.h"

namespace tenure::executor {
namespace {

/// Returns element `i` as a double. Throws for strings and complex numbers.
double element(const Tensor& tensor, std::size_t i) {
  switch (tensor.dtype()) {
    case DType::kFloat32: return tensor.data<float>()[i];
    case DType::kInt32: return tensor.data<std::int32_t>()[i];
    case DType::kBool: return tensor.data<std::uint8_t>()[i];
    default: fail("expected numbers, got a ", get_name(tensor.dtype()), " tensor");
  }
}

std::int32_t to_integer(double value) {
  // Clamped like the 64-bit integers of a file, which became int32. NaN becomes 0.
  if (std::isnan(value)) return 0;
  return static_cast<std::int32_t>(std::clamp(std::trunc(value), -2147483648.0, 2147483647.0));
}

}  // namespace

const EdgeValue& Call::item(int i) const {
  check(i >= 0 && i < size(), "expected at least ", i + 1, " inputs, got ", size());
  return in_[static_cast<std::size_t>(i)];
}

const Tensor& Call::operator[](int i) const {
  const EdgeValue& given = item(i);
  check(!given.object, "input ", i, " is not a tensor");
  return given.tensor;
}

const Tensor& Call::value(int i) const {
  const Tensor& tensor = (*this)[i];
  check(static_cast<bool>(tensor), "input ", i, " is left out");
  if (!tensor.has_data()) throw NeedsValues();
  return tensor;
}

Tensors Call::tensors(int first, int last) const {
  Tensors list;
  for (int i = first; i < last; ++i) list.push_back((*this)[i]);
  return list;
}

Tensors Call::values(int first, int last) const {
  Tensors list;
  for (int i = first; i < last; ++i) list.push_back(value(i));
  return list;
}

std::vector<std::int32_t> Call::integers(int i) const {
  const Tensor& list = value(i);
  std::vector<std::int32_t> values;
  values.reserve(list.elements());
  for (std::size_t k = 0; k < list.elements(); ++k) values.push_back(to_integer(element(list, k)));
  return values;
}

Dims Call::dims(int i) const {
  const Tensor& list = value(i);
  check(list.elements() <= kMaxRank, "input ", i, " has ", list.elements(),
        " elements, more than the highest rank, ", kMaxRank);
  Dims dims;
  for (std::size_t k = 0; k < list.elements(); ++k) dims.push_back(to_integer(element(list, k)));
  return dims;
}

float Call::number(int i) const {
  const Tensor& list = value(i);
  check(list.elements() >= 1, "input ", i, " is empty, where a number was expected");
  return static_cast<float>(element(list, 0));
}

std::int32_t Call::integer(int i) const {
  const Tensor& list = value(i);
  check(list.elements() >= 1, "input ", i, " is empty, where a number was expected");
  return to_integer(element(list, 0));
}

bool Call::boolean(int i) const {
  const Tensor& condition = value(i);
  check_shape(condition.elements() == 1, "expected a condition of one value, got shape ", condition.shape());
  return element(condition, 0) != 0;
}

void Call::need_values() const {
  if (run_.is_tracing()) throw NeedsValues();
}

}  // namespace tenure::executor
