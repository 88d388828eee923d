// Models of decision trees: random forests and boosted trees.

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/rare_rows/ml/scores.h"
#include "import/onnx/rare_rows/ml/trees.h"

namespace tenure::onnx {
namespace {

enum class Aggregation : std::uint8_t { kAverage, kSum, kMin, kMax };
constexpr std::string_view kAggregations[] = {"AVERAGE", "SUM", "MIN", "MAX"};

/// Far more than models have, so that a damaged file takes no memory.
constexpr std::int32_t kMaxTargets = 1 << 20;

/// The score of a target, 0 until a leaf has voted for it.
struct Score {
  float value = 0;
  bool has_vote = false;
};

void add_vote(Score& score, float weight, Aggregation how) {
  switch (how) {
    case Aggregation::kAverage:
    case Aggregation::kSum: score.value += weight; break;
    case Aggregation::kMin: score.value = score.has_vote ? std::min(score.value, weight) : weight; break;
    case Aggregation::kMax: score.value = score.has_vote ? std::max(score.value, weight) : weight; break;
  }
  score.has_vote = true;
}

/// Sends a sample through all trees. Returns the scores of `targets` targets.
std::vector<Score> vote(const TreeEnsemble& trees, std::span<const float> sample, std::size_t targets,
                        Aggregation how) {
  std::vector<Score> scores(targets);
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    for (const Vote& one : trees.predict(tree, sample))
      add_vote(scores[static_cast<std::size_t>(one.target)], one.weight, how);
  }
  return scores;
}

void check_votes(const TreeEnsemble& trees, std::size_t targets) {
  for (const Vote& one : trees.votes())
    check(one.target >= 0 && static_cast<std::size_t>(one.target) < targets, "a leaf votes for target ",
          one.target, " of ", targets);
}

void check_fit(const TreeEnsemble& trees, const Samples& samples) {
  check_shape(samples.rows == 0 || trees.features() <= samples.columns, "the trees compare ",
              trees.features(), " features, and the rows have ", samples.columns);
}

/// A classifier, made of a node's attributes once.
struct Classifier {
  explicit Classifier(const Attributes& attrs)
      : trees(TreeEnsemble::read_v3(attrs, "class")),
        labels(attrs, "classlabels_int64s"),
        base(read_floats(attrs, "base_values")),
        transform(read_post_transform(attrs)) {
    check(labels.size() > 0, "it has no labels");
    check(base.size() <= labels.size(), "it has ", base.size(), " base values for ", labels.size(),
          " labels");
    check_votes(trees, labels.size());
    for (const Vote& one : trees.votes()) {
      is_positive = is_positive && one.weight >= 0;
      is_binary = is_binary && one.target == trees.votes()[0].target;
    }
    is_binary = is_binary && labels.size() == 2;
    if (!trees.votes().empty()) votes_for = static_cast<std::size_t>(trees.votes()[0].target);
  }

  /// Returns the label of a sample, and writes its scores.
  std::size_t classify(std::span<const float> sample, std::vector<float>& to) const;

  TreeEnsemble trees;
  Labels labels;
  std::vector<float> base;
  PostTransform transform;
  bool is_positive = true;    ///< no weight is negative
  bool is_binary = true;      ///< there are two labels, and votes for one index only
  std::size_t votes_for = 0;  ///< that index
};

std::size_t Classifier::classify(std::span<const float> sample, std::vector<float>& to) const {
  std::vector<Score> scores = vote(trees, sample, labels.size(), Aggregation::kSum);
  to.clear();
  if (!is_binary) {
    std::size_t greatest = scores.size();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (i < base.size()) scores[i] = {scores[i].value + base[i], true};
      to.push_back(scores[i].value);
      if (scores[i].has_vote && (greatest == scores.size() || to[i] > to[greatest])) greatest = i;
    }
    transform_scores(to, transform);
    return greatest == scores.size() ? 0 : greatest;
  }
  if (!base.empty()) scores[votes_for].value += base.back();
  const float score = scores[votes_for].value;
  const bool is_second = score > (is_positive ? 0.5F : 0);
  // Votes for the first index stand for both labels, as converters of boosted trees write them.
  to = votes_for == 0 ? std::vector{score} : std::vector{scores[0].value, score};
  transform_scores(to, transform, is_positive ? SecondClass::kComplement : SecondClass::kNegated);
  to.resize(2);
  return is_second ? 1 : 0;
}

EdgeValues classify_by_trees(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<Classifier>(call);
  check_fit(model.trees, samples);
  return classify_rows(samples, model.labels, model.labels.size(),
                       [&](std::span<const float> sample, std::vector<float>& scores) {
                         return model.classify(sample, scores);
                       });
}

/// A regressor, made of a node's attributes once.
struct Regressor {
  Regressor(const Attributes& attrs, TreeEnsemble read, Aggregation aggregation)
      : trees(std::move(read)),
        how(aggregation),
        base(read_floats(attrs, "base_values")),
        transform(read_post_transform(attrs)) {
    const std::int32_t count = attrs.integer("n_targets", 1);
    check(count > 0 && count <= kMaxTargets, "attribute \"n_targets\" is ", count);
    targets = static_cast<std::size_t>(count);
    check(base.empty() || base.size() == targets, "it has ", base.size(), " base values for ", targets,
          " targets");
    check_votes(trees, targets);
  }

  void predict(std::span<const float> sample, std::vector<float>& to) const {
    to.clear();
    const std::vector<Score> scores = vote(trees, sample, targets, how);
    for (std::size_t i = 0; i < targets; ++i) {
      const float count = how == Aggregation::kAverage ? static_cast<float>(trees.size()) : 1;
      to.push_back(scores[i].value / count + (base.empty() ? 0 : base[i]));
    }
    transform_scores(to, transform);
  }

  TreeEnsemble trees;
  Aggregation how;
  std::vector<float> base;
  PostTransform transform;
  std::size_t targets = 1;
};

/// A TreeEnsembleRegressor.
struct TreeEnsembleRegressor : Regressor {
  explicit TreeEnsembleRegressor(const Attributes& attrs)
      : Regressor(attrs, TreeEnsemble::read_v3(attrs, "target"), read_aggregation(attrs)) {}

  static Aggregation read_aggregation(const Attributes& attrs) {
    const std::string_view name = attrs.string("aggregate_function", "SUM");
    const auto* at = std::find(std::begin(kAggregations), std::end(kAggregations), name);
    check(at != std::end(kAggregations), "attribute \"aggregate_function\" is \"", name, "\"");
    return static_cast<Aggregation>(at - std::begin(kAggregations));
  }
};

/// A TreeEnsemble, whose attributes have numbers in the place of names.
struct TreeEnsembleV5 : Regressor {
  explicit TreeEnsembleV5(const Attributes& attrs)
      : Regressor(attrs, TreeEnsemble::read_v5(attrs), read_aggregation(attrs)) {}

  static Aggregation read_aggregation(const Attributes& attrs) {
    const std::int32_t number = attrs.integer("aggregate_function", 1);
    check(number >= 0 && number < static_cast<std::int32_t>(std::size(kAggregations)),
          "attribute \"aggregate_function\" is ", number);
    return static_cast<Aggregation>(number);
  }
};

template <class Model>
Tensor regress(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<Model>(call);
  check_fit(model.trees, samples);
  ScoreTable table;
  std::vector<float> scores;
  for (std::size_t i = 0; i < samples.rows; ++i) {
    model.predict(samples.row(i), scores);
    table.add(scores);
  }
  return table.to_tensor(model.targets);
}

constexpr Row kRows[] = {
    {"TreeEnsembleClassifier", classify_by_trees},
    {"TreeEnsembleRegressor", regress<TreeEnsembleRegressor>},
    {"TreeEnsemble", regress<TreeEnsembleV5>},
};

}  // namespace

std::span<const Row> tree_model_rows() { return kRows; }

}  // namespace tenure::onnx
