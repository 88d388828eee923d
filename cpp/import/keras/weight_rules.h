#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "import/keras/config.h"

namespace tenure::keras {

/// What a weight adds to the loss: l1 * sum |w| + l2 * sum w².
struct Regularizer {
  float l1 = 0;
  float l2 = 0;
  bool is_known = true;  ///< false for a class of JavaScript's
  bool is_none() const { return l1 == 0 && l2 == 0 && is_known; }
  Tensor penalty(const Tensor& w) const;
};

/// What becomes of a weight after each step, as Keras's constraints of these names have it.
struct Constraint {
  enum class Kind : std::uint8_t { kNone, kUnknown, kMaxNorm, kUnitNorm, kNonNeg, kMinMaxNorm };
  Kind kind = Kind::kNone;
  float min = 0;
  float max = 1;
  float rate = 1;
  Dims axes{};
  Tensor apply(const Tensor& w) const;
};

/// The regularizers and constraints of a layer's config: those of "kernel" stand under kernel_regularizer and
/// kernel_constraint, those of "depthwise_kernel" under depthwise_regularizer.
class WeightRules {
 public:
  WeightRules() = default;
  /// Throws for fields of wrong types. What is of a class that is not known throws when it is used.
  explicit WeightRules(const Config& config);
  Regularizer regularizer(std::string_view weight) const;
  Constraint constraint(std::string_view weight) const;

 private:
  struct Rule {
    std::string of;
    Regularizer regularizer;
    Constraint constraint;
  };
  const Rule* find(std::string_view weight, bool is_constraint) const;

  std::vector<Rule> rules_;
};

}  // namespace tenure::keras
