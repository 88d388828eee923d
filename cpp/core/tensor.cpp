#include "core/tensor.h"

#include "core/error.h"

namespace tenure {

Tensor::Tensor(const TensorSpec& spec)
    : storage_(Storage::allocate(spec.shape.elements() * size_of(spec.dtype))), spec_(spec) {}

Tensor Tensor::symbolic(const TensorSpec& spec, std::uint32_t value) {
  Tensor tensor;
  tensor.spec_ = spec;
  tensor.value_ = value;
  return tensor;
}

Tensor Tensor::with_shape(const Shape& shape) const {
  check_shape(shape.elements() == elements(), "a tensor of ", elements(), " elements cannot take the shape ",
              shape);
  Tensor tensor = *this;
  tensor.spec_.shape = shape;
  tensor.value_ = 0;
  return tensor;
}

void check_value_count(const Shape& shape, std::size_t count) {
  shape.validate();
  check_shape(shape.elements() == count, "shape ", shape, " needs ", shape.elements(), " values, got ",
              count);
}

}  // namespace tenure
