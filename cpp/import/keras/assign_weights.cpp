#include "import/keras/assign_weights.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr std::size_t kMaxNameLength = 4096;

/// Returns the name without its second to last part: "lstm/kernel" for "lstm/lstm_cell/kernel".
std::string without_cell(std::string_view name) {
  const std::size_t last = name.rfind('/');
  const std::size_t before = last == std::string_view::npos || last == 0 ? last : name.rfind('/', last - 1);
  if (before == std::string_view::npos) return {};
  return text(name.substr(0, before), name.substr(last));
}

/// True if the last part of the name is a number, as in the weight names of Keras 3: "layers/dense/vars/0".
bool is_numbered(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  return !last.empty() && std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void set_weight(const NamedWeight& target, const Tensor& tensor) {
  const Shape& wanted = target.weight->value.shape();
  check_shape(tensor.shape() == wanted, "weight \"", target.name, "\": Shape mismatch: ", wanted, " vs. ",
              tensor.shape());
  target.weight->value = tensor.dtype() == DType::kFloat32 ? tensor : cast(tensor, {DType::kFloat32});
}

class Matcher {
 public:
  explicit Matcher(std::vector<NamedWeight> weights)
      : weights_(std::move(weights)), is_set_(weights_.size(), false) {
    for (std::size_t i = weights_.size(); i-- > 0;) index_.emplace(weights_[i].name, i);
  }

  /// Sets the weight that `name` matches and returns true; returns false if none does.
  bool set_by_name(std::string_view name, const Tensor& tensor) {
    // Bounds the work: every suffix of the name is looked up.
    if (name.size() > kMaxNameLength) return false;
    if (name.ends_with(":0")) name.remove_suffix(2);
    for (;;) {
      if (set_exact(std::string(name), tensor) || set_exact(without_cell(name), tensor)) return true;
      const std::size_t slash = name.find('/');
      if (slash == std::string_view::npos) return false;
      name.remove_prefix(slash + 1);
    }
  }

  std::vector<const NamedWeight*> missing() const {
    std::vector<const NamedWeight*> missing;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!is_set_[i]) missing.push_back(&weights_[i]);
    }
    return missing;
  }
  std::size_t count() const { return weights_.size(); }

 private:
  bool set_exact(const std::string& name, const Tensor& tensor) {
    const auto [first, last] = index_.equal_range(name);
    for (auto it = first; it != last; ++it) {
      if (is_set_[it->second]) continue;
      set_weight(weights_[it->second], tensor);
      is_set_[it->second] = true;
      return true;
    }
    return false;
  }

  std::vector<NamedWeight> weights_;
  std::vector<bool> is_set_;
  std::unordered_multimap<std::string, std::size_t> index_;
};

/// True if the tensors have numbers for names and match the weights in count and shapes.
bool match_in_order(const std::vector<const NamedTensor*>& tensors,
                    const std::vector<const NamedWeight*>& weights) {
  const auto fits = [](const NamedTensor* given, const NamedWeight* wanted) {
    return is_numbered(given->name) && given->tensor.shape() == wanted->weight->value.shape();
  };
  return std::equal(tensors.begin(), tensors.end(), weights.begin(), weights.end(), fits);
}

}  // namespace

void assign_weights(Network& network, const std::vector<NamedTensor>& tensors, bool strict) {
  std::vector<NamedWeight> weights;
  network.collect_weights("", true, weights);
  Matcher matcher(std::move(weights));
  std::vector<const NamedTensor*> left;
  for (const NamedTensor& given : tensors) {
    if (!matcher.set_by_name(given.name, given.tensor)) left.push_back(&given);
  }
  if (!strict) return;
  const std::vector<const NamedWeight*> missing = matcher.missing();
  if (match_in_order(left, missing)) {
    for (std::size_t i = 0; i < left.size(); ++i) set_weight(*missing[i], left[i]->tensor);
    return;
  }
  if (!left.empty()) fail("Provided weight data has no target variable: ", left[0]->name);
  std::string names;
  for (const NamedWeight* weight : missing) names += (names.empty() ? "" : ",") + weight->name;
  fail(missing.size(), " of ", matcher.count(), " weights are not set: ", names);
}

}  // namespace tenure::keras
