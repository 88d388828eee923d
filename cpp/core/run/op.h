#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// Every op of lists/ops.def; those without a kernel come last. The numbers cross the JavaScript boundary,
/// both sides of which are generated.
enum class Op : std::uint16_t {
#define UNARY(name, ...) name,
#define BINARY(name, ...) name,
#define STRUCTURAL(name, ...) name,
#define VIEW(name, ...) name,
#define OTHER_ROWS(...)
#include "lists/ops.def"
  kPrimitiveCount,
#define COMPOSED(name, ...) name,
#define HOST(name, ...) name,
  kBeforeComposed = kPrimitiveCount - 1,
#define OTHER_ROWS(...)
#include "lists/ops.def"
  kCount
};
constexpr int kPrimitiveCount = static_cast<int>(Op::kPrimitiveCount);
constexpr int kOpCount = static_cast<int>(Op::kCount);

/// Types that an elementwise op takes, and type of its result.
enum class DTypeRule : std::uint8_t {
  kAny,         ///< not elementwise: the op's own inference decides
  kSame,        ///< computed in the input's type, int32 or float32; bool is computed as int32
  kFloat,       ///< computed in float32
  kTest,        ///< computed in float32, returns bool
  kArithmetic,  ///< computed in the upcast type of both inputs, at least int32
  kCompare,     ///< computed as kArithmetic, returns bool
  kLogical,     ///< bool in, bool out
};

enum class OpKind : std::uint8_t { kUnary, kBinary, kStructural, kView, kComposed, kHost };

/// True for ops that compute each element of the output from the elements of the inputs at its position,
/// whatever their order in memory.
constexpr bool is_elementwise(OpKind kind) { return kind == OpKind::kUnary || kind == OpKind::kBinary; }

/// Sets of types that an input may have: one bit for each DType.
namespace types {
constexpr std::uint8_t kFloat32 = 1;
constexpr std::uint8_t kInt32 = 2;
constexpr std::uint8_t kBool = 4;
constexpr std::uint8_t kIntOrFloat = kFloat32 | kInt32;
constexpr std::uint8_t kNumericOrBool = kIntOrFloat | kBool;
constexpr std::uint8_t kString = 8;
constexpr std::uint8_t kComplex64 = 16;
/// All but strings.
constexpr std::uint8_t kNonString = kNumericOrBool | kComplex64;
constexpr std::uint8_t kAny = kNonString | kString;
}  // namespace types

/// An input as its op's row declares it.
struct InputDef {
  enum Form : std::uint8_t { kRequired, kOptional, kList };
  const char* name;
  std::uint8_t types;
  Form form;
};

using Tensors = std::vector<Tensor>;

class TensorList;

/// The inputs of an op, as pointers, so that calling one copies no tensors. A missing optional input points
/// to an empty Tensor.
class Inputs {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<const Tensor*> list) : pointers_(list.begin(), list.size()) {}
  Inputs(const TensorList& list);
  explicit Inputs(std::span<const Tensor* const> pointers) : pointers_(pointers) {}
  const Tensor& operator[](int i) const { return *pointers_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(pointers_.size()); }
  bool has(int i) const { return i < size() && static_cast<bool>((*this)[i]); }

 private:
  std::span<const Tensor* const> pointers_;
};

/// Tensors as one argument, as in concat({a, b}). Valid as long as the tensors.
class TensorList {
 public:
  TensorList(std::span<const Tensor> tensors) {
    for (const Tensor& tensor : tensors) pointers_.push_back(&tensor);
  }
  TensorList(std::initializer_list<Tensor> tensors)
      : TensorList(std::span(tensors.begin(), tensors.size())) {}
  TensorList(const Tensors& tensors) : TensorList(std::span(tensors)) {}

 protected:
  TensorList() = default;
  void append(const TensorList& other) {
    pointers_.insert(pointers_.end(), other.pointers_.begin(), other.pointers_.end());
  }

 private:
  friend class Inputs;
  std::vector<const Tensor*> pointers_;
};

/// Concatenated lists: the inputs of an op that takes other inputs before its list.
class JoinedLists : public TensorList {
 public:
  JoinedLists(std::initializer_list<TensorList> lists) {
    for (const TensorList& list : lists) append(list);
  }
};

inline Inputs::Inputs(const TensorList& list) : pointers_(list.pointers_) {}

/// Arguments of a kernel: checked inputs, and an output allocated to the inferred spec.
struct KernelArgs {
  Inputs in;
  AttrsView attrs;
  Tensor& out;
};

using InferFn = TensorSpec (*)(Inputs, AttrsView);
using KernelFn = void (*)(const KernelArgs&);
using ComposedFn = Tensors (*)(Inputs, AttrsView);
using DTypeOverloadFn = Tensor (*)(Op, Inputs, AttrsView);

/// Kind of an op's gradient.
enum class Gradient : std::uint8_t {
  kNone,  ///< none: requesting it is an error
  kZero,  ///< zero: the output does not depend on small changes of the inputs
  kRule,  ///< computed by the op's formulas or its grad:: function
};

/// One row of lists/ops.def.
struct OpDef {
  std::string_view name;
  std::string_view js_name;
  OpKind kind;
  DTypeRule rule;
  Gradient gradient;
  std::uint8_t input_count;  ///< number of inputs that the row declares
  const InputDef* inputs;
  std::uint16_t
      saves;      ///< what a tape saves for the gradient: a bit for each input, kSavesOutput for the output
  InferFn infer;  ///< null for composed ops and host ops
  ComposedFn composed;  ///< null for all other ops
  /// Runs the op without the activation in its attributes, then the activation. Null for ops without one.
  ComposedFn decomposition;
  /// Types that the kernel does not support, for which `dtype_overload` runs the op instead.
  std::uint8_t overloaded_types;
  /// Runs the op if an input has one of `overloaded_types`. Null if there are none.
  DTypeOverloadFn dtype_overload;

  static constexpr std::uint16_t kSavesOutput = 0x8000;

  /// Returns the declaration of input `i`. All inputs of a list share the last one.
  const InputDef& input(int i) const { return inputs[i < input_count ? i : input_count - 1]; }
};

/// Returns the row of an op. Defined beside the list, in ops/registry.cpp.
const OpDef& op_def(Op op);

}  // namespace tenure
