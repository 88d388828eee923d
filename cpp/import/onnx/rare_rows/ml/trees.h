#pragma once

#include <span>
#include <vector>

#include "model/executor/attributes.h"

namespace tenure::onnx {

/// A comparison of a feature with a threshold or a set, or a leaf. Its number is that of the attribute
/// "nodes_modes" of TreeEnsemble.
enum class TreeMode : std::uint8_t {
  kLessEqual,
  kLess,
  kGreaterEqual,
  kGreater,
  kEqual,
  kNotEqual,
  kMember,
  kLeaf
};

/// A weight that a leaf adds to a target.
struct Vote {
  std::int32_t target;
  float weight;
};

/// The decision trees of a node.
class TreeEnsemble {
 public:
  /// Reads the attributes of TreeEnsembleClassifier and TreeEnsembleRegressor, up to opset 3; the names of
  /// those of the votes begin with `prefix`, "class" or "target". Throws if the nodes are no trees.
  static TreeEnsemble read_v3(const executor::Attributes& attrs, std::string_view prefix);
  /// Reads the attributes of TreeEnsemble, from opset 5 on. Throws if the nodes are no trees.
  static TreeEnsemble read_v5(const executor::Attributes& attrs);

  std::size_t size() const { return roots_.size(); }
  std::span<const Vote> votes() const { return votes_; }
  /// Number of features that a sample must have.
  std::size_t features() const { return features_; }
  /// Returns the votes of the leaf that a sample reaches in tree i.
  std::span<const Vote> predict(std::size_t i, std::span<const float> sample) const;

 private:
  struct TreeNode {
    TreeMode mode = TreeMode::kLeaf;
    bool missing_is_true = false;
    std::int32_t feature = 0;
    float value = 0;
    std::int32_t if_true = 0;
    std::int32_t if_false = 0;
    std::int32_t first_member = 0;  ///< of the set of kMember
    std::int32_t members = 0;
    std::int32_t first_vote = 0;  ///< of a leaf
    std::int32_t vote_count = 0;
  };

  bool is_true(const TreeNode& node, float x) const;
  void read_members(std::span<const float> values);
  /// Finds the features, and the roots unless they are known. Throws unless each node has at most one parent.
  void finish();

  std::vector<TreeNode> nodes_;
  std::vector<Vote> votes_;
  std::vector<float> members_;
  std::vector<std::int32_t> roots_;
  std::size_t features_ = 0;
};

}  // namespace tenure::onnx
