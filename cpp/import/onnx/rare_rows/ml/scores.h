#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/dispatch.h"
#include "model/executor/row.h"

/// Labels, samples, scores and their transforms: the common part of the models of ai.onnx.ml.
namespace tenure::onnx {

using namespace executor;

/// The attribute "post_transform".
enum class PostTransform : std::uint8_t { kNone, kSoftmax, kLogistic, kSoftmaxZero, kProbit };

/// Returns the model that is made of a node's attributes when the node first runs, and kept for later runs.
template <class Model>
const Model& prepare(const Call& call) {
  std::shared_ptr<const void>& prepared = call.node().prepared;
  // A lost device would lose its tensors.
  const BackendGuard on_cpu(cpu_backend());
  if (!prepared) prepared = std::make_shared<const Model>(call.attrs());
  return *static_cast<const Model*>(prepared.get());
}

/// Returns the transform that the attribute names or, from TreeEnsemble on, numbers. Throws for another.
PostTransform read_post_transform(const Attributes& attrs);

/// Form of the scores of a model that has one score s and two labels.
enum class SecondClass : std::uint8_t {
  kNone,        ///< s alone
  kComplement,  ///< 1 - s and s
  kNegated,     ///< -s and s
};

/// Transforms the scores of a row in place; no scores stay none. One score becomes two if `second` says so;
/// of one score, only kProbit and, with two labels, kLogistic change the value, as in onnxruntime.
void transform_scores(std::vector<float>& scores, PostTransform transform,
                      SecondClass second = SecondClass::kNone);

/// Returns the numbers of a list, or of the tensor of that name or, as some versions of the ops have it, with
/// "_as_tensor" behind the name.
std::vector<float> read_floats(const Attributes& attrs, const std::string& name);

/// The labels of a classifier, texts or integers.
class Labels {
 public:
  /// Reads the attributes "classlabels_strings" and `integers`. Throws if both are there.
  Labels(const Attributes& attrs, std::string_view integers);

  std::size_t size() const { return texts_.empty() ? integers_.size() : texts_.size(); }
  /// Returns a tensor with a label for each index.
  Tensor at(std::span<const std::size_t> indices) const;

 private:
  std::vector<std::string> texts_;
  std::vector<std::int32_t> integers_;
};

/// Rows of numbers, [N,C] or [C], as float32.
struct Samples {
  explicit Samples(const Tensor& x);
  std::span<const float> row(std::size_t i) const {
    return values.values<float>().subspan(i * columns, columns);
  }

  Tensor values;
  std::size_t rows;
  std::size_t columns;
};

/// Returns the index of the greatest value, the first of equal ones. There must be one.
std::size_t find_greatest(std::span<const float> values);

/// A table of scores, with equally many in each row.
class ScoreTable {
 public:
  void add(std::span<const float> scores) {
    values_.insert(values_.end(), scores.begin(), scores.end());
    ++rows_;
  }
  /// Returns a tensor [rows, columns], where `columns` are those of a table without rows.
  Tensor to_tensor(std::size_t columns) const;

 private:
  std::vector<float> values_;
  std::size_t rows_ = 0;
};

/// Returns the labels and the scores of samples. `classify(sample, scores)` writes the scores of a sample, of
/// which `columns` are a row, and returns the index of its label.
template <class Classify>
EdgeValues classify_rows(const Samples& samples, const Labels& labels, std::size_t columns,
                         const Classify& classify) {
  std::vector<std::size_t> found;
  ScoreTable table;
  std::vector<float> scores;
  for (std::size_t i = 0; i < samples.rows; ++i) {
    found.push_back(classify(samples.row(i), scores));
    table.add(scores);
  }
  return {labels.at(found), table.to_tensor(columns)};
}

}  // namespace tenure::onnx
