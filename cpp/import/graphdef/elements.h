#pragma once

#include <optional>

#include "import/graphdef/row.h"

namespace tenure::graphdef {

/// The maximum size of an array or a list. An unset element takes about 40 bytes.
constexpr std::int32_t kMaxArraySize = 1 << 24;

/// The dtype and, if known, the shape of the elements of an array or a list. Unknown extents are -1.
struct ElementSpec {
  DType dtype = DType::kFloat32;
  std::optional<Shape> shape;

  /// Throws unless the tensor has the dtype and matches the shape.
  void check_matches(const Tensor& tensor) const;
  /// Returns the shape. Throws Error(kShape) if it is not fully defined.
  Shape full_shape() const;
};

/// Returns the element shape in an input of a node, a vector of extents. Returns nullopt for a scalar, which
/// stands for any rank.
std::optional<Shape> element_shape(const Call& call, int input);

/// Stacks tensors of one shape along a new first axis. Without tensors, the result has shape [0, ...].
Tensor stack_elements(const Tensors& tensors, const ElementSpec& elements);
/// Concatenates tensors along their first axis. Without tensors, the result has shape [0, ...].
Tensor concat_elements(const Tensors& tensors, const ElementSpec& elements);
/// Splits a tensor along its first axis into parts of these lengths. Throws Error(kShape) unless they add up
/// to its extent.
Tensors split_elements(const Tensor& tensor, const std::vector<std::int32_t>& lengths);

}  // namespace tenure::graphdef
