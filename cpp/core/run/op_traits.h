#pragma once

#include <cstddef>
#include <cstdint>

#include "core/attrs.h"
#include "core/run/op.h"

namespace tenure {

/// Role of an elementwise op in the epilogue that a kernel with PostOpSupport::kInRegisters computes.
enum class EpilogueRole : std::uint8_t {
  kNone,
  kResidual,       ///< adds a tensor of the result's size
  kChannelSlopes,  ///< multiplies negative elements by a factor of their channel
};

/// Elementwise ops that a kernel can apply to its result before it stores it.
enum class PostOpSupport : std::uint8_t {
  kNone,
  kPerTile,      ///< a chain of elementwise ops, applied to each tile
  kInRegisters,  ///< like kPerTile, and an epilogue of a residual and a PReLU or a clamp, applied to the sums
};

/// Number of products that an op sums for one element of its output.
enum class ProductCount : std::uint8_t {
  kNone,            ///< it sums no products: it reads and writes elements
  kInnerDimension,  ///< the dimension that the matrices a and b share
  kLastDimension,   ///< the last dimension of the first input
  kFilterHw,        ///< height * width of the filter
  kFilterHwio,      ///< height * width * input channels of a filter [height, width, input, output]
  kFilterHwoi,      ///< height * width * input channels of a filter [height, width, output, input]
  kPoolWindow,      ///< window_h * window_w of PoolAttrs
};

/// Facts about a primitive op, as its row of lists/ops.def states them. The list explains each.
struct OpTraits {
  bool is_memory_bound = false;
  std::uint8_t unroll = 1;
  EpilogueRole epilogue = EpilogueRole::kNone;
  PostOpSupport post_ops = PostOpSupport::kNone;
  ProductCount products = ProductCount::kNone;
  bool folds_zero_padding = false;
  /// True if the kernel multiplies and adds floats, so that it gains from an instruction that does both.
  bool multiplies_and_adds = false;
  /// True if the CPU kernel reads integers of 4 and 8 bits as they are (core/memory/narrow_integers.h).
  bool reads_narrow = false;
  /// Index of the input whose halves the CPU kernel reads as they are (core/memory/half_floats.h); -1 for
  /// none.
  std::int8_t half_input = -1;
  /// Index of `activation` among the words of the op's attributes, which `alpha` follows; -1 if the op has no
  /// activation.
  std::int8_t activation_word = -1;

  /// True if the op applies the activation in its attributes to its result.
  constexpr bool has_activation() const { return activation_word >= 0; }
  /// True if the CPU kernel reads an input of a dtype as it is while it stays packed: halves are float32,
  /// narrow integers int32.
  constexpr bool reads_packed(int input, DType dtype) const {
    return dtype == DType::kFloat32 ? input == half_input : reads_narrow;
  }
};

/// Returns the traits of a row with attributes of type `Attrs`.
template <class Attrs>
constexpr OpTraits traits_with_attrs(OpTraits traits) {
  if constexpr (requires(Attrs attrs) { attrs.activation; }) {
    constexpr std::size_t kWord = offsetof(Attrs, activation) / sizeof(std::int32_t);
    static_assert(offsetof(Attrs, alpha) == (kWord + 1) * sizeof(std::int32_t));
    traits.activation_word = static_cast<std::int8_t>(kWord);
  }
  return traits;
}

/// Traits of the primitive ops, indexed by Op.
inline constexpr OpTraits kOpTraits[] = {
#define UNARY(name, js, rule, A, expression, gradient, ...) OpTraits{__VA_ARGS__},
#define BINARY(name, js, a, b, rule, expression, for_a, for_b, ...) OpTraits{__VA_ARGS__},
#define STRUCTURAL(name, js, inputs, A, gradient, ...) traits_with_attrs<A##Attrs>(OpTraits{__VA_ARGS__}),
#define VIEW(...) OpTraits{},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};
static_assert(sizeof(kOpTraits) == sizeof(OpTraits) * kPrimitiveCount);

/// Returns the traits of a primitive op: an op with a kernel or a view, as all nodes of graphs are.
constexpr const OpTraits& op_traits(Op op) { return kOpTraits[static_cast<std::size_t>(op)]; }

}  // namespace tenure
