#include "core/tensor.h"

#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/strings.h"

namespace tenure {

// On wasm32 a valid shape may need more bytes than can be addressed.
std::size_t checked_bytes(const TensorSpec& spec) {
  const std::uint64_t elements = spec.shape.elements();
  const std::uint64_t bytes =
      spec.dtype == DType::kString ? offset_bytes(elements) : elements * element_size(spec.dtype);
  if (bytes > std::numeric_limits<std::size_t>::max()) {
    fail_with(ErrorCode::kOutOfMemory,
              text("out of memory: a tensor of shape ", spec.shape, " needs ", bytes, " bytes"));
  }
  return static_cast<std::size_t>(bytes);
}

TraceId next_trace_id() {
  static TraceId last = 0;
  return ++last;
}

Tensor::Tensor(const TensorSpec& spec) : spec_(spec), storage_(Storage::allocate(checked_bytes(spec))) {
  if (spec.dtype == DType::kString) std::memset(storage_->mutable_data(), 0, storage_->bytes());
}

Tensor Tensor::deferred(const TensorSpec& spec) {
  if (spec.dtype == DType::kString) return Tensor(spec);
  return {Storage::deferred(checked_bytes(spec)), spec};
}

std::size_t Tensor::text_bytes() const {
  return storage_ ? storage_->bytes() - static_cast<std::size_t>(offset_bytes(elements())) : 0;
}

Tensor Tensor::symbolic(const TensorSpec& spec, TraceId value) {
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
