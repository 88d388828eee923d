#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// Every op of ops/ops.def, composed ones last. The numbers cross the JavaScript boundary, both sides
/// generated.
enum class Op : std::uint16_t {
#define UNARY(name, ...) name,
#define BINARY(name, ...) name,
#define STRUCTURAL(name, ...) name,
#define VIEW(name, ...) name,
#include "ops/ops.def"
  kPrimitiveCount,
#define COMPOSED(name, ...) name,
  kBeforeComposed = kPrimitiveCount - 1,
#include "ops/ops.def"
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

enum class OpKind : std::uint8_t { kUnary, kBinary, kStructural, kView, kComposed };

using Tensors = std::vector<Tensor>;

/// The inputs of an op: pointers, so that nobody copies tensors to call one. A missing optional input points
/// to an empty Tensor.
class Inputs {
 public:
  Inputs(std::initializer_list<const Tensor*> list) : pointers_(list.begin(), list.size()) {}
  explicit Inputs(std::span<const Tensor* const> pointers) : pointers_(pointers) {}
  const Tensor& operator[](int i) const { return *pointers_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(pointers_.size()); }
  bool has(int i) const { return i < size() && static_cast<bool>((*this)[i]); }

 private:
  std::span<const Tensor* const> pointers_;
};

/// What a kernel gets: checked inputs, and an output allocated to the inferred spec.
struct KernelArgs {
  Inputs in;
  AttrsView attrs;
  Tensor& out;
};

using InferFn = TensorSpec (*)(Inputs, AttrsView);
using KernelFn = void (*)(const KernelArgs&);
using ComposedFn = Tensors (*)(Inputs, AttrsView);

/// One row of ops/ops.def.
struct OpDef {
  std::string_view name;
  std::string_view js_name;
  OpKind kind;
  Rule rule;
  int least_inputs;
  int most_inputs;
  InferFn infer;        ///< null for a composed op
  ComposedFn composed;  ///< null for the others
};

/// The row of an op. Defined beside the list, in ops/registry.cpp.
const OpDef& op_def(Op op);

}  // namespace tenure
