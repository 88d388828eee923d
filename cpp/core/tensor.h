#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/memory/storage.h"
#include "core/shape.h"

namespace tenure {

/// Shape and element type: all that inference needs to know of a tensor.
struct TensorSpec {
  Shape shape;
  DType dtype = DType::kFloat32;
  friend bool operator==(const TensorSpec&, const TensorSpec&) = default;
};

/// How many bytes the elements take; of strings, their offsets. Throws Error(kOutOfMemory) where those are
/// more than can be addressed.
std::size_t checked_bytes(const TensorSpec& spec);

/// What tells values apart while something records them; 0 is no value's. Tapes and tracers share the count,
/// which 64 bits do not let come round.
using ValueNumber = std::uint64_t;
ValueNumber next_value_number();

/// Throws unless `shape` is valid and holds `count` elements.
void check_value_count(const Shape& shape, std::size_t count);

/// A value: shared storage seen through a shape and an element type. Contiguous, row major.
/// Copies, reshapes and clones share the bytes; nothing writes to a tensor once it has been handed out.
class Tensor {
 public:
  Tensor() = default;
  /// Uninitialised elements; strings are empty.
  explicit Tensor(const TensorSpec& spec);
  /// Likewise, on the CPU or on a device: where they are first written.
  static Tensor deferred(const TensorSpec& spec);
  Tensor(StoragePtr storage, const TensorSpec& spec) : spec_(spec), storage_(std::move(storage)) {}

  /// Copies `values`; throws unless there is one for each element.
  template <class T>
  static Tensor from(std::span<const T> values, const Shape& shape);
  template <class T>
  static Tensor from(std::initializer_list<T> values, const Shape& shape) {
    return from(std::span<const T>(values.begin(), values.size()), shape);
  }
  static Tensor scalar(float value) { return from({value}, {}); }
  static Tensor scalar(std::int32_t value) { return from({value}, {}); }
  /// No bytes, only a spec and a number: what an op sees while a graph is traced, and what a tape keeps of
  /// what no gradient reads.
  static Tensor symbolic(const TensorSpec& spec, ValueNumber value);

  const TensorSpec& spec() const { return spec_; }
  const Shape& shape() const { return spec_.shape; }
  int rank() const { return spec_.shape.rank; }
  std::int32_t dim(int i) const { return spec_.shape[i]; }
  DType dtype() const { return spec_.dtype; }
  std::size_t elements() const { return spec_.shape.elements(); }
  /// Bytes of the elements; of strings, those of their text.
  std::size_t bytes() const {
    return spec_.dtype == DType::kString ? text_bytes() : elements() * size_of(spec_.dtype);
  }
  const StoragePtr& storage() const { return storage_; }
  /// False for a default-made tensor, which stands for "no such input", and for a symbolic one.
  bool has_data() const { return static_cast<bool>(storage_); }
  explicit operator bool() const { return storage_ || value_ != 0; }

  /// The elements; the type must be the dtype's (a bool is read as std::uint8_t).
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

  /// The same bytes under another shape of as many elements.
  Tensor with_shape(const Shape& shape) const;

  /// The value's number; 0 when nothing has recorded it.
  ValueNumber value() const { return value_; }
  void set_value(ValueNumber value) { value_ = value; }

 private:
  std::size_t text_bytes() const;

  TensorSpec spec_;
  ValueNumber value_ = 0;
  // The last, as an assignment may free the storage before: a cut in that finds the new spec.
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
