#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "core/run/op.h"

namespace tenure {

/// One row of lists/activations.def.
struct ActivationDef {
  Op op;
  bool has_alpha;
  std::string_view word;
};

/// By the numbers of the enum.
inline constexpr ActivationDef kActivations[] = {
    {Op::identity, false, "linear"},
#define ACTIVATION(name, op, A, word) {Op::op, std::is_same_v<A##Attrs, AlphaAttrs>, word},
#include "lists/activations.def"
};

inline constexpr int kActivationCount = static_cast<int>(std::size(kActivations));

constexpr const ActivationDef& activation_def(Activation activation) {
  return kActivations[static_cast<std::size_t>(activation)];
}

/// The row of that word; null where there is none.
constexpr const ActivationDef* activation_named(std::string_view word) {
  const auto* row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                 [&](const auto& def) { return def.word == word; });
  return row == std::end(kActivations) ? nullptr : row;
}

/// The activation that an op is by itself; kLinear where it is none.
constexpr Activation activation_of(Op op) {
  const auto* row = std::find_if(std::next(kActivations), std::end(kActivations),
                                 [&](const auto& def) { return def.op == op; });
  return row == std::end(kActivations) ? Activation::kLinear
                                       : static_cast<Activation>(row - std::begin(kActivations));
}

/// The alpha of an activation in another op's attributes, where 0, the default, means an elu's usual 1.
constexpr float alpha_of(Activation activation, float alpha) {
  return activation == Activation::kElu && alpha == 0 ? 1.0F : alpha;
}

}  // namespace tenure
