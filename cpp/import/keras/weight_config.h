#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "import/keras/config.h"

namespace tenure::keras {

/// Penalty that a weight adds to the loss: l1 * sum |w| + l2 * sum w².
struct Regularizer {
  float l1 = 0;
  float l2 = 0;
  bool is_known = true;  ///< false for a class defined in JavaScript
  bool is_none() const { return l1 == 0 && l2 == 0 && is_known; }
  Tensor penalty(const Tensor& w) const;
};

/// Constraint applied to a weight after each update; the kinds are Keras's constraints of the same names.
struct Constraint {
  enum class Kind : std::uint8_t { kNone, kUnknown, kMaxNorm, kUnitNorm, kNonNeg, kMinMaxNorm };
  Kind kind = Kind::kNone;
  float min = 0;
  float max = 1;
  float rate = 1;
  Dims axes{};
  Tensor apply(const Tensor& w) const;
};

/// Regularizers and constraints in a layer's config. Those of the weight "kernel" are under
/// kernel_regularizer and kernel_constraint, those of "depthwise_kernel" under depthwise_regularizer and
/// depthwise_constraint.
class WeightConfig {
 public:
  WeightConfig() = default;
  /// Throws for fields of wrong types. A rule of an unknown class throws only when it is used.
  explicit WeightConfig(const Config& config);
  Regularizer regularizer(std::string_view weight) const;
  Constraint constraint(std::string_view weight) const;

 private:
  struct Entry {
    std::string of;
    Regularizer regularizer;
    Constraint constraint;
  };
  const Entry* find(std::string_view weight, bool is_constraint) const;

  std::vector<Entry> rules_;
};

}  // namespace tenure::keras
