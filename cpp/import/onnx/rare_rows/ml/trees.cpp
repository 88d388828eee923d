#include "import/onnx/rare_rows/ml/trees.h"

#include <algorithm>
#include <cmath>

#include "core/heap_sort.h"
#include "import/onnx/rare_rows/ml/scores.h"

namespace tenure::onnx {
namespace {

constexpr std::string_view kModes[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
                                       "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};

/// Returns a list of integers that has an element for each of `count` nodes.
std::vector<std::int32_t> read_list(const Attributes& attrs, std::string_view name, std::size_t count) {
  std::vector<std::int32_t> list = attrs.integers(name);
  check(list.size() == count, "attribute \"", name, "\" has ", list.size(), " elements, expected ", count);
  return list;
}

/// Finds nodes by the ids of their tree and their own.
class NodeIndex {
 public:
  NodeIndex(std::span<const std::int32_t> trees, std::span<const std::int32_t> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      entries_.emplace_back(get_key(trees[i], ids[i]), static_cast<std::int32_t>(i));
    heap_sort(entries_);
    const auto same = [](const Entry& a, const Entry& b) { return a.first == b.first; };
    check(std::adjacent_find(entries_.begin(), entries_.end(), same) == entries_.end(),
          "two nodes of a tree have the same id");
  }

  std::int32_t find(std::int32_t tree, std::int32_t id) const {
    const Entry wanted(get_key(tree, id), 0);
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), wanted);
    check(at != entries_.end() && at->first == wanted.first, "tree ", tree, " has no node ", id);
    return at->second;
  }

 private:
  using Entry = std::pair<std::uint64_t, std::int32_t>;
  static std::uint64_t get_key(std::int32_t tree, std::int32_t id) {
    return std::uint64_t{static_cast<std::uint32_t>(tree)} << 32U | static_cast<std::uint32_t>(id);
  }

  std::vector<Entry> entries_;
};

TreeMode read_mode(std::string_view name) {
  const auto* at = std::find(std::begin(kModes), std::end(kModes), name);
  check(at != std::end(kModes) && static_cast<TreeMode>(at - std::begin(kModes)) != TreeMode::kMember,
        "attribute \"nodes_modes\" has \"", name, "\"");
  return static_cast<TreeMode>(at - std::begin(kModes));
}

}  // namespace

TreeEnsemble TreeEnsemble::read_v3(const Attributes& attrs, std::string_view prefix) {
  const std::span<const std::string> modes = attrs.strings("nodes_modes");
  const std::size_t count = modes.size();
  const std::vector<std::int32_t> trees = read_list(attrs, "nodes_treeids", count);
  const std::vector<std::int32_t> features = read_list(attrs, "nodes_featureids", count);
  const std::vector<std::int32_t> if_true = read_list(attrs, "nodes_truenodeids", count);
  const std::vector<std::int32_t> if_false = read_list(attrs, "nodes_falsenodeids", count);
  const std::vector<float> values = read_floats(attrs, "nodes_values");
  const std::vector<std::int32_t> missing = attrs.integers("nodes_missing_value_tracks_true");
  check(values.size() == count && (missing.empty() || missing.size() == count), "its lists of ", count,
        " nodes have different lengths");
  const NodeIndex index(trees, read_list(attrs, "nodes_nodeids", count));

  TreeEnsemble ensemble;
  ensemble.nodes_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    TreeNode& node = ensemble.nodes_[i];
    node.mode = read_mode(modes[i]);
    if (node.mode == TreeMode::kLeaf) continue;
    node.missing_is_true = !missing.empty() && missing[i] != 0;
    node.feature = features[i];
    node.value = values[i];
    node.if_true = index.find(trees[i], if_true[i]);
    node.if_false = index.find(trees[i], if_false[i]);
  }

  const std::string name(prefix);
  const std::vector<std::int32_t> targets = attrs.integers(name + "_ids");
  const std::vector<std::int32_t> vote_trees = read_list(attrs, name + "_treeids", targets.size());
  const std::vector<std::int32_t> vote_nodes = read_list(attrs, name + "_nodeids", targets.size());
  const std::vector<float> weights = read_floats(attrs, name + "_weights");
  check(weights.size() == targets.size(), "it has ", weights.size(), " weights for ", targets.size(),
        " votes");
  // Votes for nodes that compare have no effect.
  std::vector<std::pair<std::int32_t, std::int32_t>> by_leaf;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::int32_t leaf = index.find(vote_trees[i], vote_nodes[i]);
    if (ensemble.nodes_[static_cast<std::size_t>(leaf)].mode == TreeMode::kLeaf)
      by_leaf.emplace_back(leaf, static_cast<std::int32_t>(i));
  }
  heap_sort(by_leaf);
  for (const auto& [leaf, vote] : by_leaf) {
    TreeNode& node = ensemble.nodes_[static_cast<std::size_t>(leaf)];
    if (node.vote_count++ == 0) node.first_vote = static_cast<std::int32_t>(ensemble.votes_.size());
    ensemble.votes_.push_back(
        {targets[static_cast<std::size_t>(vote)], weights[static_cast<std::size_t>(vote)]});
  }
  ensemble.finish();
  return ensemble;
}

TreeEnsemble TreeEnsemble::read_v5(const Attributes& attrs) {
  const std::vector<float> modes = read_floats(attrs, "nodes_modes");
  const std::size_t count = modes.size();
  const std::vector<std::int32_t> features = read_list(attrs, "nodes_featureids", count);
  const std::vector<std::int32_t> if_true = read_list(attrs, "nodes_truenodeids", count);
  const std::vector<std::int32_t> if_false = read_list(attrs, "nodes_falsenodeids", count);
  const std::vector<std::int32_t> true_is_leaf = read_list(attrs, "nodes_trueleafs", count);
  const std::vector<std::int32_t> false_is_leaf = read_list(attrs, "nodes_falseleafs", count);
  const std::vector<float> splits = read_floats(attrs, "nodes_splits");
  const std::vector<std::int32_t> missing = attrs.integers("nodes_missing_value_tracks_true");
  const std::vector<std::int32_t> targets = attrs.integers("leaf_targetids");
  const std::vector<float> weights = read_floats(attrs, "leaf_weights");
  check(splits.size() == count && (missing.empty() || missing.size() == count) &&
            weights.size() == targets.size(),
        "its lists of ", count, " nodes and ", targets.size(), " leaves have different lengths");

  TreeEnsemble ensemble;
  const auto child = [&](std::int32_t id, bool is_leaf) {
    const std::size_t limit = is_leaf ? targets.size() : count;
    check(id >= 0 && static_cast<std::size_t>(id) < limit, "it has no ", is_leaf ? "leaf " : "node ", id);
    return id + (is_leaf ? static_cast<std::int32_t>(count) : 0);
  };
  ensemble.nodes_.resize(count + targets.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int mode =
        modes[i] >= 0 && modes[i] < static_cast<float>(TreeMode::kLeaf) ? static_cast<int>(modes[i]) : -1;
    check(mode >= 0, "attribute \"nodes_modes\" has ", modes[i]);
    ensemble.nodes_[i] = {.mode = static_cast<TreeMode>(mode),
                          .missing_is_true = !missing.empty() && missing[i] != 0,
                          .feature = features[i],
                          .value = splits[i],
                          .if_true = child(if_true[i], true_is_leaf[i] != 0),
                          .if_false = child(if_false[i], false_is_leaf[i] != 0)};
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    ensemble.votes_.push_back({targets[i], weights[i]});
    ensemble.nodes_[count + i].first_vote = static_cast<std::int32_t>(i);
    ensemble.nodes_[count + i].vote_count = 1;
  }
  for (const std::int32_t root : attrs.integers("tree_roots")) ensemble.roots_.push_back(child(root, false));
  ensemble.read_members(read_floats(attrs, "membership_values"));
  ensemble.finish();
  return ensemble;
}

void TreeEnsemble::read_members(std::span<const float> values) {
  // The sets follow each other in the order of their nodes, each closed by NaN.
  std::size_t at = 0;
  for (TreeNode& node : nodes_) {
    if (node.mode != TreeMode::kMember) continue;
    node.first_member = static_cast<std::int32_t>(members_.size());
    for (; at < values.size() && !std::isnan(values[at]); ++at) members_.push_back(values[at]);
    check(at < values.size(), "attribute \"membership_values\" has too few sets");
    ++at;
    node.members = static_cast<std::int32_t>(members_.size()) - node.first_member;
  }
}

void TreeEnsemble::finish() {
  std::vector<bool> has_parent(nodes_.size(), false);
  const auto set_parent = [&](std::int32_t child) {
    const auto at = static_cast<std::size_t>(child);
    // Without this check, a sample might go around forever.
    check(!has_parent[at] || nodes_[at].mode == TreeMode::kLeaf, "node ", child, " has two parents");
    has_parent[at] = true;
  };
  for (const TreeNode& node : nodes_) {
    if (node.mode == TreeMode::kLeaf) continue;
    check(node.feature >= 0, "attribute \"nodes_featureids\" has ", node.feature);
    features_ = std::max(features_, static_cast<std::size_t>(node.feature) + 1);
    set_parent(node.if_true);
    if (node.if_false != node.if_true) set_parent(node.if_false);
  }
  if (roots_.empty()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!has_parent[i]) roots_.push_back(static_cast<std::int32_t>(i));
    }
  }
  for (const std::int32_t root : roots_)
    check(!has_parent[static_cast<std::size_t>(root)], "the root ", root, " has a parent");
}

bool TreeEnsemble::is_true(const TreeNode& node, float x) const {
  switch (node.mode) {
    case TreeMode::kLessEqual: return x <= node.value;
    case TreeMode::kLess: return x < node.value;
    case TreeMode::kGreaterEqual: return x >= node.value;
    case TreeMode::kGreater: return x > node.value;
    case TreeMode::kEqual: return x == node.value;
    case TreeMode::kNotEqual: return x != node.value;
    case TreeMode::kMember: {
      const auto first = members_.begin() + node.first_member;
      return std::find(first, first + node.members, x) != first + node.members;
    }
    case TreeMode::kLeaf: break;
  }
  return false;
}

std::span<const Vote> TreeEnsemble::predict(std::size_t i, std::span<const float> sample) const {
  const TreeNode* node = &nodes_[static_cast<std::size_t>(roots_[i])];
  while (node->mode != TreeMode::kLeaf) {
    const float x = sample[static_cast<std::size_t>(node->feature)];
    const bool goes_true = is_true(*node, x) || (node->missing_is_true && std::isnan(x));
    node = &nodes_[static_cast<std::size_t>(goes_true ? node->if_true : node->if_false)];
  }
  return std::span(votes_).subspan(static_cast<std::size_t>(node->first_vote),
                                   static_cast<std::size_t>(node->vote_count));
}

}  // namespace tenure::onnx
