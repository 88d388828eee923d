#include "import/keras/weight_config.h"

#include "core/error.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr float kEpsilon = 1e-7F;
constexpr std::string_view kRegularizer = "_regularizer";
constexpr std::string_view kConstraint = "_constraint";

Tensor scaled(const Tensor& x, float factor) { return mul(x, Tensor::scalar(factor)); }

/// Field that holds {class_name, config}, or a bare name, which has no config.
struct ClassConfig {
  std::string class_name;
  const Json* config = nullptr;

  ClassConfig(const Config& owner, std::string_view key) {
    const Json& value = owner.value(key);
    if (value.is_string()) {
      class_name = snake_case(value.string());
      return;
    }
    const Config row = owner.object(key);
    class_name = snake_case(row.string("class_name"));
    config = row.find("config");
  }
  float number(const Config& owner, std::string_view key, float fallback) const {
    return config ? Config(*config, owner.owner()).number(key, fallback) : fallback;
  }
};

Regularizer read_regularizer(const Config& owner, std::string_view key) {
  const ClassConfig named(owner, key);
  // Both factors default to 0.01. The classes l1 and l2 have only one of them.
  if (named.class_name == "l1") return {.l1 = named.number(owner, "l1", 0.01F), .l2 = 0};
  if (named.class_name == "l2") return {.l1 = 0, .l2 = named.number(owner, "l2", 0.01F)};
  if (named.class_name != "l1l2" && named.class_name != "l1_l2") return {.l1 = 0, .l2 = 0, .is_known = false};
  return {.l1 = named.number(owner, "l1", 0.01F), .l2 = named.number(owner, "l2", 0.01F)};
}

Constraint read_constraint(const Config& owner, std::string_view key) {
  using Kind = Constraint::Kind;
  const ClassConfig named(owner, key);
  Constraint constraint;
  constraint.axes = named.config ? Config(*named.config, owner.owner()).dims("axis", {0}) : Dims{0};
  if (named.class_name == "max_norm") {
    constraint.kind = Kind::kMaxNorm;
    constraint.max = named.number(owner, "max_value", 2);
  } else if (named.class_name == "unit_norm") {
    constraint.kind = Kind::kUnitNorm;
  } else if (named.class_name == "non_neg") {
    constraint.kind = Kind::kNonNeg;
  } else if (named.class_name == "min_max_norm") {
    constraint.kind = Kind::kMinMaxNorm;
    constraint.min = named.number(owner, "min_value", 0);
    constraint.max = named.number(owner, "max_value", 1);
    constraint.rate = named.number(owner, "rate", 1);
  } else {
    constraint.kind = Kind::kUnknown;
  }
  return constraint;
}

}  // namespace

Tensor Regularizer::penalty(const Tensor& w) const {
  check(is_known, "the engine does not know the regularizer of a weight");
  Tensor penalty = Tensor::scalar(0.0F);
  if (l1 != 0) penalty = add(penalty, sum(scaled(abs(w), l1)));
  if (l2 != 0) penalty = add(penalty, sum(scaled(square(w), l2)));
  return penalty;
}

Tensor Constraint::apply(const Tensor& w) const {
  if (kind == Kind::kNone) return w;
  check(kind != Kind::kUnknown, "the engine does not know the constraint of a weight");
  if (kind == Kind::kNonNeg) return relu(w);
  const Tensor norms = sqrt(sum(square(w), {.axes = normalize_axes(axes, w.rank()), .keep_dims = true}));
  const Tensor divisor = add(norms, Tensor::scalar(kEpsilon));
  if (kind == Kind::kUnitNorm) return div(w, divisor);
  const Tensor clipped = clip_by_value(norms, {.min = min, .max = max});
  const Tensor wanted =
      kind == Kind::kMaxNorm ? clipped : add(scaled(clipped, rate), scaled(norms, 1 - rate));
  return mul(w, div(wanted, divisor));
}

WeightConfig::WeightConfig(const Config& config) {
  for (const std::string& written : config.json().keys()) {
    const std::string key = snake_case(written);
    // activity_regularizer applies to a layer's outputs, not to a weight.
    if (key == "activity_regularizer" || !config.has(key)) continue;
    const std::string_view name = key;
    if (name.ends_with(kRegularizer)) {
      rules_.push_back({key.substr(0, key.size() - kRegularizer.size()), read_regularizer(config, key), {}});
    } else if (name.ends_with(kConstraint)) {
      rules_.push_back({key.substr(0, key.size() - kConstraint.size()), {}, read_constraint(config, key)});
    }
  }
}

const WeightConfig::Entry* WeightConfig::find(std::string_view weight, bool is_constraint) const {
  constexpr std::string_view kKernel = "_kernel";
  if (weight.ends_with(kKernel)) weight.remove_suffix(kKernel.size());
  for (const Entry& rule : rules_) {
    if (rule.of == weight && (rule.constraint.kind != Constraint::Kind::kNone) == is_constraint) return &rule;
  }
  return nullptr;
}

Regularizer WeightConfig::regularizer(std::string_view weight) const {
  const Entry* rule = find(weight, false);
  return rule ? rule->regularizer : Regularizer();
}

Constraint WeightConfig::constraint(std::string_view weight) const {
  const Entry* rule = find(weight, true);
  return rule ? rule->constraint : Constraint();
}

}  // namespace tenure::keras
