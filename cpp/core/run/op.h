#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// Every op of lists/ops.def, those without a kernel last. The numbers cross the JavaScript boundary, both
/// sides generated.
enum class Op : std::uint16_t {
#define UNARY(name, ...) name,
#define BINARY(name, ...) name,
#define STRUCTURAL(name, ...) name,
#define VIEW(name, ...) name,
#include "lists/ops.def"
  kPrimitiveCount,
#define COMPOSED(name, ...) name,
#define HOST(name, ...) name,
  kBeforeComposed = kPrimitiveCount - 1,
#include "lists/ops.def"
  kCount
};
constexpr int kPrimitiveCount = static_cast<int>(Op::kPrimitiveCount);
constexpr int kOpCount = static_cast<int>(Op::kCount);

/// Which element types an elementwise op takes, and what comes out.
enum class Rule : std::uint8_t {
  kAny,         ///< not elementwise: the op's own inference decides
  kSame,        ///< int32 or float32, as the input; bool is computed as int32
  kFloat,       ///< computed in float32
  kTest,        ///< computed in float32, bool comes out
  kArithmetic,  ///< in the upcast type of both inputs, at least int32
  kCompare,     ///< likewise, bool comes out
  kLogical,     ///< bool in, bool out
};

enum class OpKind : std::uint8_t { kUnary, kBinary, kStructural, kView, kComposed, kHost };

/// Types that an input may have: a bit for each DType.
namespace types {
constexpr std::uint8_t kFloat32 = 1;
constexpr std::uint8_t kInt32 = 2;
constexpr std::uint8_t kBool = 4;
constexpr std::uint8_t kNumber = kFloat32 | kInt32;
constexpr std::uint8_t kNumeric = kNumber | kBool;
constexpr std::uint8_t kString = 8;
constexpr std::uint8_t kComplex64 = 16;
/// All but strings.
constexpr std::uint8_t kCells = kNumeric | kComplex64;
constexpr std::uint8_t kAny = kCells | kString;
}  // namespace types

/// An input as its row declares it.
struct InputDef {
  enum Form : std::uint8_t { kRequired, kOptional, kList };
  const char* name;
  std::uint8_t types;
  Form form;
};

using Tensors = std::vector<Tensor>;

class TensorList;

/// The inputs of an op: pointers, so that nobody copies tensors to call one. A missing optional input points
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

/// Tensors as one argument, concat({a, b}): valid while they are.
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

/// Lists one behind the other: the inputs of an op that takes others before its list.
class JoinedLists : public TensorList {
 public:
  JoinedLists(std::initializer_list<TensorList> lists) {
    for (const TensorList& list : lists) append(list);
  }
};

inline Inputs::Inputs(const TensorList& list) : pointers_(list.pointers_) {}

/// What a kernel gets: checked inputs, and an output allocated to the inferred spec.
struct KernelArgs {
  Inputs in;
  AttrsView attrs;
  Tensor& out;
};

using InferFn = TensorSpec (*)(Inputs, AttrsView);
using KernelFn = void (*)(const KernelArgs&);
using ComposedFn = Tensors (*)(Inputs, AttrsView);
using OtherFormFn = Tensor (*)(Op, Inputs, AttrsView);

/// How an op passes a gradient on.
enum class Gradient : std::uint8_t {
  kNone,  ///< there is none: asking for it is an error
  kZero,  ///< the output does not move with the inputs
  kRule,  ///< by the op's formulas or its grad:: function
};

/// One row of lists/ops.def.
struct OpDef {
  std::string_view name;
  std::string_view js_name;
  OpKind kind;
  Rule rule;
  Gradient gradient;
  std::uint8_t declared;  ///< how many inputs the row names
  const InputDef* inputs;
  std::uint16_t
      saves;      ///< what a tape keeps for the gradient: a bit for each input, kSavesOutput for the output
  InferFn infer;  ///< null for a composed op and a host's
  ComposedFn composed;  ///< null for the others
  /// Runs the op without the activation in its attributes, then the activation; null for ops without.
  ComposedFn unfused;
  /// Runs the op where an input is of a type that its kernel does not know, those of `other_types`; or null.
  std::uint8_t other_types;
  OtherFormFn other_form;

  static constexpr std::uint16_t kSavesOutput = 0x8000;

  /// The declaration of an input by its place; those of a list share one.
  const InputDef& input(int i) const { return inputs[i < declared ? i : declared - 1]; }
};

/// The row of an op. Defined beside the list, in ops/registry.cpp.
const OpDef& op_def(Op op);

}  // namespace tenure
