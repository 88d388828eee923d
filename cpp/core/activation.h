#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "core/run/op.h"

namespace tenure {

/// A row of lists/activations.def: the op, whether its attributes are AlphaAttrs, and Keras' name (`word`).
struct ActivationDef {
  Op op;
  bool has_alpha;
  std::string_view word;
};

/// All activations, indexed by enum Activation.
inline constexpr ActivationDef kActivations[] = {
    {Op::identity, false, "linear"},
#define ACTIVATION(name, op, A, word) {Op::op, std::is_same_v<A##Attrs, AlphaAttrs>, word},
#include "lists/activations.def"
};

inline constexpr int kActivationCount = static_cast<int>(std::size(kActivations));

constexpr const ActivationDef& activation_def(Activation activation) {
  return kActivations[static_cast<std::size_t>(activation)];
}

/// Returns the activation with that Keras name, or null if there is none.
constexpr const ActivationDef* find_activation(std::string_view word) {
  const auto* row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                 [&](const auto& def) { return def.word == word; });
  return row == std::end(kActivations) ? nullptr : row;
}

/// Returns the activation that `op` computes, or kLinear if it computes none.
constexpr Activation get_activation(Op op) {
  const auto* row = std::find_if(std::next(kActivations), std::end(kActivations),
                                 [&](const auto& def) { return def.op == op; });
  return row == std::end(kActivations) ? Activation::kLinear
                                       : static_cast<Activation>(row - std::begin(kActivations));
}

/// Returns the alpha of an activation fused into another op. In that op's attributes 0, the default, stands
/// for ELU's usual 1.
constexpr float get_fused_alpha(Activation activation, float alpha) {
  return activation == Activation::kElu && alpha == 0 ? 1.0F : alpha;
}

}  // namespace tenure
