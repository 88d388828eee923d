#pragma once

#include <optional>

#include "import/graphdef/row.h"

namespace tenure::graphdef {

/// How many places an array or a list may be asked for: one takes some forty bytes before anything is in it.
constexpr std::int32_t kMostPlaces = 1 << 24;

/// What is known of the elements of an array or a list: their type, and their shape where it is given, with
/// -1 for an extent that is not.
struct Elements {
  DType dtype = DType::kFloat32;
  std::optional<Shape> shape;

  /// Throws unless the tensor can be one.
  void check_fits(const Tensor& tensor) const;
  /// The shape when no element tells: the one given; throws where it is not whole.
  Shape whole() const;
};

/// One of the shapes of elements that a node gives: an input of extents, where a scalar -1 stands for any
/// rank.
std::optional<Shape> element_shape(const Call& call, int input);

/// Tensors of one shape along a new first axis; [0, ...] where there are none.
Tensor stacked(const Tensors& tensors, const Elements& elements);
/// Tensors along their first axis.
Tensor chained(const Tensors& tensors, const Elements& elements);
/// The parts of a tensor along its first axis, of these lengths. Throws unless they add up to it.
Tensors cut(const Tensor& tensor, const std::vector<std::int32_t>& lengths);

}  // namespace tenure::graphdef
