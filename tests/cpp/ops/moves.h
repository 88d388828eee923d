#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

/// Helpers of the tests of data movement: numbered tensors, a naive reference and error messages.
namespace tenure::moves {

constexpr DType kDTypes[] = {DType::kFloat32, DType::kInt32, DType::kBool};

/// Returns a tensor of elements 0, 1, 2 ...; of a bool tensor, a pattern of both values.
inline Tensor counted(const Shape& shape, DType dtype = DType::kFloat32) {
  Tensor tensor({shape, dtype});
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    if (dtype == DType::kFloat32) tensor.mutable_data<float>()[i] = static_cast<float>(i);
    if (dtype == DType::kInt32) tensor.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i);
    if (dtype == DType::kBool) tensor.mutable_data<std::uint8_t>()[i] = i * 7 % 3 == 0;
  }
  return tensor;
}

inline double number_at(const Tensor& tensor, std::size_t i) {
  if (tensor.dtype() == DType::kFloat32) return static_cast<double>(tensor.data<float>()[i]);
  return tensor.dtype() == DType::kInt32 ? tensor.data<std::int32_t>()[i] : tensor.data<std::uint8_t>()[i];
}

/// Returns the elements as doubles, whatever their dtype.
inline std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> result;
  for (std::size_t i = 0; i < tensor.elements(); ++i) result.push_back(number_at(tensor, i));
  return result;
}

/// Calls visit(index, position) for each element of a shape.
template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
  Dims index;
  for (int i = 0; i < shape.size(); ++i) index.push_back(0);
  for (std::size_t position = 0; position < shape.elements(); ++position) {
    visit(index, position);
    for (int i = shape.size() - 1; i >= 0 && ++index[i] == shape[i]; --i) index[i] = 0;
  }
}

inline std::size_t position_of(const Shape& shape, const Dims& index) {
  std::size_t position = 0;
  for (int i = 0; i < shape.size(); ++i) {
    position = position * static_cast<std::size_t>(shape[i]) + static_cast<std::size_t>(index[i]);
  }
  return position;
}

/// Checks that each element of `out` is the element of `in` whose index source() returns, or `constant` if it
/// returns none.
template <class Source>
void check_moved(const Tensor& in, const Tensor& out, const Shape& shape, Source source,
                 double constant = 0) {
  REQUIRE(out.shape() == shape);
  REQUIRE(out.dtype() == in.dtype());
  std::vector<double> expected(shape.elements());
  for_each_index(shape, [&](const Dims& index, std::size_t position) {
    const std::optional<Dims> from = source(index);
    expected[position] = from ? number_at(in, position_of(in.shape(), *from)) : constant;
  });
  REQUIRE(numbers(out) == expected);
}

/// Returns the message of the Error that `call` throws.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tenure::moves
