#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/memory/storage.h"
#include "core/shape.h"

namespace tenure {

/// Shape and element type of a tensor, the input and the result of shape inference.
struct TensorSpec {
  Shape shape;
  DType dtype = DType::kFloat32;
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// Returns the bytes that the elements take; for strings, those of their offsets. Throws Error(kOutOfMemory)
/// if they exceed the address space.
std::size_t checked_bytes(const TensorSpec& spec);

/// Identity of a value while something records it; 0 means that nothing has. Tapes and tracers share one
/// counter, whose 64 bits never wrap.
using TraceId = std::uint64_t;
/// Returns a number that no value has yet.
TraceId next_trace_id();

/// Throws Error(kShape) unless `shape` is valid and has `count` elements.
void check_value_count(const Shape& shape, std::size_t count);

/// A value: shared storage viewed through a shape and an element type. Contiguous and row-major. Copies,
/// reshapes and clones share the bytes; a tensor is never written to after it is returned.
class Tensor {
 public:
  Tensor() = default;
  /// Allocates uninitialised elements; strings are empty.
  explicit Tensor(const TensorSpec& spec);
  /// Returns a tensor whose memory is allocated when it is first written, on the CPU or on a device. Strings
  /// are allocated at once.
  static Tensor deferred(const TensorSpec& spec);
  Tensor(StoragePtr storage, const TensorSpec& spec) : spec_(spec), storage_(std::move(storage)) {}

  /// Copies `values`. Throws Error(kShape) unless there is one for each element.
  template <class T>
  static Tensor from(std::span<const T> values, const Shape& shape);
  template <class T>
  static Tensor from(std::initializer_list<T> values, const Shape& shape) {
    return from(std::span<const T>(values.begin(), values.size()), shape);
  }
  static Tensor scalar(float value) { return from({value}, {}); }
  static Tensor scalar(std::int32_t value) { return from({value}, {}); }
  /// Returns a tensor without data, only a spec and a value number: the input of an op while a graph is
  /// traced, and a tape's stand-in for a tensor that no gradient reads.
  static Tensor symbolic(const TensorSpec& spec, TraceId value);

  const TensorSpec& spec() const { return spec_; }
  const Shape& shape() const { return spec_.shape; }
  int rank() const { return spec_.shape.rank; }
  std::int32_t dim(int i) const { return spec_.shape[i]; }
  DType dtype() const { return spec_.dtype; }
  std::size_t elements() const { return spec_.shape.elements(); }
  /// Returns the bytes of the elements; for strings, of their text.
  std::size_t bytes() const {
    return spec_.dtype == DType::kString ? text_bytes() : elements() * element_size(spec_.dtype);
  }
  const StoragePtr& storage() const { return storage_; }
  /// True if there is storage. False for a default-constructed tensor, which stands for a missing input, and
  /// for a symbolic one.
  bool has_data() const { return static_cast<bool>(storage_); }
  explicit operator bool() const { return storage_ || value_ != 0; }

  /// Returns the elements. T must be the dtype's (a bool is read as std::uint8_t).
  template <class T>
  const T* data() const {
    return static_cast<const T*>(storage_->data());
  }
  template <class T>
  T* mutable_data() {
    return static_cast<T*>(storage_->mutable_data());
  }
  template <class T>
  std::span<const T> values() const {
    return {data<T>(), elements()};
  }

  /// Returns the same bytes under another shape. Throws Error(kShape) unless it has as many elements.
  Tensor with_shape(const Shape& shape) const;

  /// Returns the value's number; 0 if nothing has recorded it.
  TraceId value() const { return value_; }
  void set_value(TraceId value) { value_ = value; }

 private:
  std::size_t text_bytes() const;

  TensorSpec spec_;
  TraceId value_ = 0;
  // The last member: assigning it may free the old storage, and a call interrupted there must find the new
  // spec.
  StoragePtr storage_;
};

template <class T>
Tensor Tensor::from(std::span<const T> values, const Shape& shape) {
  check_value_count(shape, values.size());
  Tensor tensor(TensorSpec{shape, DTypeOf<T>::value});
  std::copy(values.begin(), values.end(), tensor.mutable_data<T>());
  return tensor;
}

}  // namespace tenure
