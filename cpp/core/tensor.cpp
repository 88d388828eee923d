#include "core/tensor.h"

#include <limits>

#include "core/error.h"

namespace tenure {
namespace {

// In wasm, fewer bytes can be addressed than a valid shape can ask for.
std::size_t checked_bytes(const TensorSpec& spec) {
  const std::uint64_t bytes = std::uint64_t{spec.shape.elements()} * size_of(spec.dtype);
  if (bytes > std::numeric_limits<std::size_t>::max()) {
    fail_with(ErrorCode::kOutOfMemory,
              text("out of memory: a tensor of shape ", spec.shape, " needs ", bytes, " bytes"));
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

ValueNumber next_value_number() {
  static ValueNumber last = 0;
  return ++last;
}

Tensor::Tensor(const TensorSpec& spec) : storage_(Storage::allocate(checked_bytes(spec))), spec_(spec) {}

Tensor Tensor::deferred(const TensorSpec& spec) { return {Storage::deferred(checked_bytes(spec)), spec}; }

Tensor Tensor::symbolic(const TensorSpec& spec, ValueNumber value) {
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
