#include "import/graphdef/elements.h"

#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::graphdef {

void ElementSpec::check_matches(const Tensor& tensor) const {
  check(tensor.dtype() == dtype, "Invalid data types; op elements ", get_name(tensor.dtype()),
        ", but list elements ", get_name(dtype));
  if (!shape) return;
  check_shape(matches(tensor.shape(), *shape), "TensorList shape mismatch: ", *shape, " and ", tensor.shape(),
              " must match");
}

Shape ElementSpec::full_shape() const {
  check_shape(shape.has_value() && !shape->contains(-1),
              "Tried to calculate elements of an empty list with a shape that is not fully defined");
  return *shape;
}

std::optional<Shape> element_shape(const Call& call, int input) {
  if (call[input].rank() == 0) return {};
  return call.shape(input);
}

Tensor stack_elements(const Tensors& tensors, const ElementSpec& elements) {
  if (!tensors.empty()) return stack(tensors, {0});
  Shape shape = elements.full_shape();
  shape.insert(0, 0);
  return Tensor({shape, elements.dtype});
}

Tensor concat_elements(const Tensors& tensors, const ElementSpec& elements) {
  if (!tensors.empty()) return concat(tensors, {0});
  Shape shape = elements.full_shape();
  check_shape(!shape.empty(), "scalars cannot be concatenated");
  shape[0] = 0;
  return Tensor({shape, elements.dtype});
}

Tensors split_elements(const Tensor& tensor, const std::vector<std::int32_t>& lengths) {
  check_shape(tensor.rank() > 0, "a scalar cannot be split");
  std::int64_t total = 0;
  for (const std::int32_t length : lengths) {
    check_shape(length >= 0, "a length of ", length, " is negative");
    total += length;
  }
  check_shape(total == tensor.dim(0),
              "Expected sum of lengths to be equal to tensor.shape[0], but sum of lengths is ", total,
              ", and tensor's shape is: ", tensor.shape());
  Tensors parts;
  std::int32_t begin = 0;
  for (const std::int32_t length : lengths) {
    parts.push_back(slice_axis(tensor, 0, begin, length));
    begin += length;
  }
  return parts;
}

}  // namespace tenure::graphdef
