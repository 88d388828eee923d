// Support vector machines.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "import/onnx/families.h"
#include "import/onnx/rare_rows/ml/scores.h"

namespace tenure::onnx {
namespace {

/// A kernel function, the similarity of two rows.
class SvmKernel {
 public:
  /// Reads the attributes "kernel_type" and "kernel_params".
  explicit SvmKernel(const Attributes& attrs) : name_(attrs.string("kernel_type", "LINEAR")) {
    const std::vector<float> numbers = read_floats(attrs, "kernel_params");
    check(numbers.empty() || numbers.size() == 3, "attribute \"kernel_params\" has ", numbers.size(),
          " values, expected 3");
    if (!numbers.empty()) std::tie(gamma_, offset_, degree_) = std::tuple(numbers[0], numbers[1], numbers[2]);
    check(name_ == "LINEAR" || name_ == "POLY" || name_ == "RBF" || name_ == "SIGMOID",
          "attribute \"kernel_type\" is \"", name_, "\"");
  }

  float operator()(std::span<const float> a, std::span<const float> b) const {
    if (name_ == "RBF") {
      float sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
      return std::exp(-gamma_ * sum);
    }
    const float dot = std::inner_product(a.begin(), a.end(), b.begin(), 0.0F);
    if (name_ == "POLY") return std::pow(gamma_ * dot + offset_, degree_);
    return name_ == "SIGMOID" ? std::tanh(gamma_ * dot + offset_) : dot;
  }

 private:
  std::string_view name_;
  float gamma_ = 0;
  float offset_ = 0;
  float degree_ = 0;
};

/// The support vectors of a node, each a row.
class SupportVectors {
 public:
  /// `count` is the number of vectors. It may be far more than there are values, in a damaged file.
  SupportVectors(const Attributes& attrs, std::uint64_t count)
      : kernel_(attrs), values_(read_floats(attrs, "support_vectors")) {
    const bool is_empty = count == 0 && values_.empty();
    check(is_empty || (count > 0 && !values_.empty() && values_.size() % count == 0),
          "attribute \"support_vectors\" has ", values_.size(), " values for ", count, " vectors");
    columns_ = is_empty ? 0 : static_cast<std::size_t>(values_.size() / count);
  }

  std::size_t columns() const { return columns_; }
  /// Returns the similarities of a row and each of the vectors.
  std::vector<float> compare(std::span<const float> row) const {
    std::vector<float> similar;
    for (std::size_t at = 0; at < values_.size(); at += columns_)
      similar.push_back(kernel_(row, std::span(values_).subspan(at, columns_)));
    return similar;
  }
  /// Returns the similarity of two rows.
  float compare(std::span<const float> a, std::span<const float> b) const { return kernel_(a, b); }

 private:
  SvmKernel kernel_;
  std::vector<float> values_;
  std::size_t columns_ = 0;
};

void check_columns(const Samples& samples, std::size_t columns) {
  check_shape(samples.columns == columns, "expected rows of ", columns, " features, got ", samples.columns);
}

/// An SVMRegressor, which is linear if it has no support vectors.
class SvmRegressor {
 public:
  explicit SvmRegressor(const Attributes& attrs)
      : vectors_(attrs, read_count(attrs)),
        coefficients_(read_floats(attrs, "coefficients")),
        rho_(read_floats(attrs, "rho")),
        is_one_class_(attrs.flag("one_class")),
        transform_(read_post_transform(attrs)) {
    const std::uint64_t count = read_count(attrs);
    check(!coefficients_.empty() && (count == 0 || coefficients_.size() == count) && !rho_.empty(), "it has ",
          coefficients_.size(), " coefficients for ", count, " vectors, and ", rho_.size(), " values of rho");
  }

  std::size_t columns() const { return vectors_.columns() > 0 ? vectors_.columns() : coefficients_.size(); }

  std::vector<float> predict(std::span<const float> row) const {
    float score = rho_[0];
    if (vectors_.columns() == 0) {
      score += vectors_.compare(row, coefficients_);
    } else {
      const std::vector<float> similar = vectors_.compare(row);
      score = std::inner_product(similar.begin(), similar.end(), coefficients_.begin(), score);
    }
    std::vector<float> scores{is_one_class_ ? (score > 0 ? 1.0F : -1.0F) : score};
    transform_scores(scores, transform_);
    return scores;
  }

 private:
  static std::uint64_t read_count(const Attributes& attrs) {
    const std::int32_t count = attrs.integer("n_supports", 0);
    check(count >= 0, "attribute \"n_supports\" is ", count);
    return static_cast<std::uint64_t>(count);
  }

  SupportVectors vectors_;
  std::vector<float> coefficients_;
  std::vector<float> rho_;
  bool is_one_class_;
  PostTransform transform_;
};

Tensor regress(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<SvmRegressor>(call);
  check_columns(samples, model.columns());
  ScoreTable table;
  for (std::size_t i = 0; i < samples.rows; ++i) table.add(model.predict(samples.row(i)));
  return table.to_tensor(1);
}

/// Returns the probabilities of classes by those of each pair, r[i * n + j] that of i against j (Wu, Lin and
/// Weng, "Probability estimates for multi-class classification by pairwise coupling", 2004, section 4).
std::vector<float> couple(std::span<const float> r, std::size_t n) {
  std::vector<float> q(n * n, 0);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t j = 0; j < n; ++j) {
      if (j == t) continue;
      q[t * n + t] += r[j * n + t] * r[j * n + t];
      q[t * n + j] = -r[j * n + t] * r[t * n + j];
    }
  }
  std::vector<float> p(n, 1 / static_cast<float>(n));
  std::vector<float> qp(n);
  const float tolerance = 0.005F / static_cast<float>(n);
  for (std::size_t round = 0; round < std::max<std::size_t>(100, n); ++round) {
    float pqp = 0;
    for (std::size_t t = 0; t < n; ++t) {
      qp[t] = std::inner_product(p.begin(), p.end(), q.begin() + static_cast<std::ptrdiff_t>(t * n), 0.0F);
      pqp += p[t] * qp[t];
    }
    const auto is_off = [&](float value) { return std::fabs(value - pqp) >= tolerance; };
    if (std::none_of(qp.begin(), qp.end(), is_off)) break;
    for (std::size_t t = 0; t < n; ++t) {
      const float step = (pqp - qp[t]) / q[t * n + t];
      p[t] += step;
      pqp = (pqp + step * (step * q[t * n + t] + 2 * qp[t])) / ((1 + step) * (1 + step));
      for (std::size_t j = 0; j < n; ++j) {
        qp[j] = (qp[j] + step * q[t * n + j]) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
  return p;
}

/// An SVMClassifier. Each pair of classes votes for one of them or, without support vectors, each class has a
/// linear score.
class SvmClassifier {
 public:
  explicit SvmClassifier(const Attributes& attrs)
      : labels_(attrs, "classlabels_ints"),
        classes_(std::max<std::size_t>(labels_.size(), 1)),
        counts_(attrs.integers("vectors_per_class")),
        total_(add_up(counts_)),
        vectors_(attrs, total_),
        coefficients_(read_floats(attrs, "coefficients")),
        rho_(read_floats(attrs, "rho")),
        prob_a_(read_floats(attrs, "prob_a")),
        prob_b_(read_floats(attrs, "prob_b")),
        transform_(read_post_transform(attrs)) {
    // Products of numbers of a file may exceed 32 bits.
    const std::uint64_t expected = (std::uint64_t{classes_} - 1) * total_;
    const bool fits = has_vectors()
                          ? classes_ >= 2 && counts_.size() == classes_ && rho_.size() >= pairs() &&
                                coefficients_.size() == expected
                          : !rho_.empty() && !coefficients_.empty() && coefficients_.size() % classes_ == 0;
    check(fits, "it has ", coefficients_.size(), " coefficients, ", rho_.size(), " values of rho and ",
          counts_.size(), " classes with vectors for ", classes_, " classes");
    check(prob_a_.size() == prob_b_.size() && (prob_a_.empty() || prob_a_.size() >= pairs()), "it has ",
          prob_a_.size(), " and ", prob_b_.size(), " coefficients of probabilities");
  }

  /// Returns the class of a row, and writes its scores.
  std::size_t classify(std::span<const float> row, std::vector<float>& to) const {
    to.clear();
    std::vector<float> votes(classes_, 0);
    if (has_vectors()) {
      compare_pairs(vectors_.compare(row), votes, to);
      if (!prob_a_.empty()) to = estimate(to);
    } else {
      // Without vectors, onnxruntime computes a linear kernel, whatever the attribute says.
      for (std::size_t i = 0; i < classes_; ++i) {
        const auto weights = coefficients_.begin() + static_cast<std::ptrdiff_t>(i * row.size());
        to.push_back(std::inner_product(row.begin(), row.end(), weights, rho_[0]));
      }
      votes = to;
    }
    const bool has_two = to.size() == 1 && classes_ == 2;
    transform_scores(to, transform_, has_two ? SecondClass::kNegated : SecondClass::kNone);
    return find_greatest(votes);
  }

  const Labels& labels() const { return labels_; }
  /// Returns the number of features of a row.
  std::size_t columns() const { return has_vectors() ? vectors_.columns() : coefficients_.size() / classes_; }
  /// Returns the number of scores of a row.
  std::size_t score_count() const {
    return has_vectors() && prob_a_.empty() ? static_cast<std::size_t>(std::max<std::uint64_t>(pairs(), 2))
                                            : classes_;
  }

 private:
  static std::uint64_t add_up(std::span<const std::int32_t> counts) {
    std::uint64_t sum = 0;
    for (const std::int32_t count : counts) {
      check(count >= 0, "attribute \"vectors_per_class\" has ", count);
      sum += static_cast<std::uint64_t>(count);
    }
    return sum;
  }
  bool has_vectors() const { return total_ > 0; }
  /// Returns the number of pairs of classes.
  std::uint64_t pairs() const { return std::uint64_t{classes_} * (classes_ - 1) / 2; }

  /// Writes the score of each pair of classes. The coefficients of class i against a later class j are in
  /// row j - 1 at the vectors of i, and those of j in row i.
  void compare_pairs(std::span<const float> similar, std::span<float> votes,
                     std::vector<float>& scores) const {
    const auto sum = [&](std::size_t line, std::size_t first, std::size_t count) {
      float result = 0;
      for (std::size_t k = first; k < first + count; ++k)
        result += coefficients_[line * similar.size() + k] * similar[k];
      return result;
    };
    std::size_t first = 0;
    for (std::size_t i = 0; i < classes_; ++i) {
      const auto count = static_cast<std::size_t>(counts_[i]);
      std::size_t other = first + count;
      for (std::size_t j = i + 1; j < classes_; ++j) {
        const auto others = static_cast<std::size_t>(counts_[j]);
        const float score = rho_[scores.size()] + sum(j - 1, first, count) + sum(i, other, others);
        scores.push_back(score);
        ++votes[score > 0 ? i : j];
        other += others;
      }
      first += count;
    }
  }

  /// Returns the probabilities of the classes by the scores of their pairs (Platt's scaling).
  std::vector<float> estimate(std::span<const float> scores) const {
    constexpr float kMinProbability = 1e-7F;
    std::vector<float> pairs(classes_ * classes_, 0);
    std::size_t at = 0;
    for (std::size_t i = 0; i < classes_; ++i) {
      for (std::size_t j = i + 1; j < classes_; ++j, ++at) {
        const float exponent = scores[at] * prob_a_[at] + prob_b_[at];
        const float probability =
            std::clamp(1 / (1 + std::exp(exponent)), kMinProbability, 1 - kMinProbability);
        pairs[i * classes_ + j] = probability;
        pairs[j * classes_ + i] = 1 - probability;
      }
    }
    return couple(pairs, classes_);
  }

  Labels labels_;
  std::size_t classes_;
  std::vector<std::int32_t> counts_;  ///< support vectors of each class
  std::uint64_t total_;
  SupportVectors vectors_;
  std::vector<float> coefficients_;
  std::vector<float> rho_;
  std::vector<float> prob_a_;
  std::vector<float> prob_b_;
  PostTransform transform_;
};

EdgeValues classify(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<SvmClassifier>(call);
  check_columns(samples, model.columns());
  return classify_rows(samples, model.labels(), model.score_count(),
                       [&](std::span<const float> sample, std::vector<float>& scores) {
                         return model.classify(sample, scores);
                       });
}

constexpr Row kRows[] = {{"SVMClassifier", classify}, {"SVMRegressor", regress}};

}  // namespace

std::span<const Row> support_vector_rows() { return kRows; }

}  // namespace tenure::onnx
