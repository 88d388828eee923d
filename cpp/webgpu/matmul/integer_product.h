#pragma once

#include <optional>
#include <string_view>

#include "core/run/op.h"
#include "shape_util/broadcast.h"
#include "webgpu/shader/packed_input.h"

namespace tenure::webgpu {

/// Sizes of a product of batched matrices, as WGSL indexes it.
struct MatrixSizes {
  int rows;
  int columns;
  int depth;
  std::optional<BroadcastPlan> batch;
};
/// Returns the sizes of the product of the first two inputs.
MatrixSizes get_sizes(const KernelArgs& args, const MatMulAttrs& attrs);

/// Multiplies int32 matrices, of which WGSL has no matrix types.
void multiply_integers(const KernelArgs& args, const MatMulAttrs& attrs);

/// The right-hand operand of a product of integers, which is read as it is stored.
class IntegerMatrix {
 public:
  explicit IntegerMatrix(const Tensor& b) : b_(b), packed_(PackedInput::find(b)) {}
  /// True if add_to() declares `fn b_vector(v: i32) -> vec4i`, too (PackedInput::add_to()).
  bool has_vectors() const { return packed_.has_value(); }
  /// Adds the input, and declares `fn b_element(e: i32) -> i32`, element e of it.
  void add_to(Dispatch& dispatch) const;

 private:
  const Tensor& b_;
  std::optional<PackedInput> packed_;
};

/// Returns the index of column c's value, of one for each column or one for all.
std::string_view column_index(const Tensor& values);

/// Returns the words of an int32 tensor of bytes: those that it is stored in, or packed ones.
Tensor pack_bytes(const Tensor& x);

}  // namespace tenure::webgpu
