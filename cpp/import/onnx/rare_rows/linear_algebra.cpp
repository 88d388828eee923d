#include <algorithm>
#include <cmath>

#include "import/onnx/families.h"
#include "import/onnx/rows/integers.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the determinant of a matrix by elimination with partial pivoting. Overwrites the matrix.
double eliminate(std::vector<double>& a, std::size_t n) {
  double result = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (a[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      result = -result;
      for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    }
    result *= a[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return result;
}

Tensor determinant(const Call& call) {
  const Tensor& x = call.value(0);
  check_shape(x.rank() >= 2 && x.shape().back() == x.shape().back(1), "expected square matrices, got ",
              x.shape());
  check(x.dtype() == DType::kFloat32, "expected float32, got ", get_name(x.dtype()));
  Shape batch;
  for (int i = 0; i + 2 < x.rank(); ++i) batch.push_back(x.dim(i));
  const auto n = static_cast<std::size_t>(x.shape().back());
  Tensor result({batch, DType::kFloat32});
  auto* to = result.mutable_data<float>();
  const float* from = x.data<float>();
  for (std::size_t i = 0; i < result.elements(); ++i, from += n * n) {
    std::vector<double> matrix(from, from + n * n);
    to[i] = static_cast<float>(eliminate(matrix, n));
  }
  return result;
}

/// A tensor of an Einstein sum, with a label for each axis. Axes of "..." have labels from kEllipsis on.
struct Term {
  Tensor x;
  Dims labels;
};

constexpr std::int32_t kEllipsis = 1 << 8;

/// Returns the labels of one operand. `ellipsis` is the number of axes that "..." stands for.
Dims parse_labels(std::string_view text, int ellipsis) {
  Dims labels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text.substr(i, 3) == "...") {
      // Right-aligned, as axes broadcast: the last axis has the label kEllipsis.
      for (int k = ellipsis; k-- > 0;) labels.push_back(kEllipsis + k);
      i += 2;
      continue;
    }
    const char c = text[i];
    check((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), "attribute \"equation\" has the character '",
          std::string_view(&c, 1), "'");
    labels.push_back(c);
  }
  return labels;
}

/// Returns the term without repeated labels: of these it takes the diagonal.
Term take_diagonals(Term term) {
  for (int i = 0; i < term.labels.rank; ++i) {
    for (int j = i + 1; j < term.labels.rank; ++j) {
      if (term.labels[i] != term.labels[j]) continue;
      const std::int32_t extent = term.x.dim(i);
      check_shape(term.x.dim(j) == extent, "axes ", i, " and ", j, " of ", term.x.shape(),
                  " have the same label");
      Shape mask;
      for (int k = 0; k < term.x.rank(); ++k) mask.push_back(k == i || k == j ? extent : 1);
      const Tensor diagonal =
          reshape(eye({.rows = extent, .columns = extent, .dtype = DType::kBool}), {mask});
      term.x = as_dtype(sum(where(diagonal, term.x, zero_like(term.x)), {.axes = {j}}), term.x.dtype());
      term.labels.erase(j);
      --j;
    }
  }
  return term;
}

/// Sums a term of integers of 64 bits over the labels that are not in `kept`, and returns it with the others
/// in the order of `kept`.
Term sum_checked(const Term& term, const Dims& kept) {
  ReduceAttrs over;
  Dims labels;
  for (int i = 0; i < term.labels.rank; ++i) {
    const bool is_kept = kept.contains(term.labels[i]);
    (is_kept ? labels : over.axes).push_back(is_kept ? term.labels[i] : i);
  }
  Term sum{over.axes.empty() ? term.x : reduce_checked(IntegerArithmetic::kSum, term.x, over), {}};
  PermutationAttrs order;
  for (const std::int32_t label : kept) {
    const auto* const at = std::find(labels.begin(), labels.end(), label);
    if (at == labels.end()) continue;
    order.perm.push_back(static_cast<std::int32_t>(at - labels.begin()));
    sum.labels.push_back(label);
  }
  sum.x = transpose(sum.x, order);
  return sum;
}

/// Multiplies two terms of integers of 64 bits and sums over the labels that are not in `labels`: a product
/// of matrices, in which labels of both terms are batches if they are in `labels`.
Tensor contract_checked(const Term& a, const Term& b, const Dims& labels) {
  Dims batch;
  Dims depth;
  const Term* const terms[] = {&a, &b};
  for (const std::int32_t label : a.labels) {
    if (b.labels.contains(label)) (labels.contains(label) ? batch : depth).push_back(label);
  }
  const auto get_extent = [](const Term& term, std::int32_t label) {
    return term.x.dim(
        static_cast<int>(std::find(term.labels.begin(), term.labels.end(), label) - term.labels.begin()));
  };
  Dims all = batch;
  Shape shape;
  for (const std::int32_t label : batch)
    shape.push_back(std::max(get_extent(a, label), get_extent(b, label)));
  for (const std::int32_t label : depth)
    check_shape(get_extent(a, label) == get_extent(b, label), "axes of ", get_extent(a, label), " and ",
                get_extent(b, label), " elements have the same label");
  const Shape batches = shape;
  Tensor matrices[2];
  for (int i = 0; i < 2; ++i) {
    const Term& term = *terms[i];
    Dims order = batch;
    Shape full = batches;
    std::int32_t rows = 1;
    for (const std::int32_t label : term.labels) {
      if (!labels.contains(label) || terms[1 - i]->labels.contains(label)) continue;
      const std::int32_t extent = get_extent(term, label);
      order.push_back(label);
      all.push_back(label);
      full.push_back(extent);
      shape.push_back(extent);
      rows *= extent;
    }
    std::int32_t products = 1;
    for (const std::int32_t label : depth) {
      order.push_back(label);
      full.push_back(get_extent(term, label));
      products *= full.back();
    }
    const auto count = static_cast<std::int32_t>(batches.elements());
    const Tensor ordered = broadcast_to(sum_checked(term, order).x, {full});
    matrices[i] = reshape(ordered, {Shape{count, rows, products}});
  }
  const Tensor product =
      checked_arithmetic(matrices[0], matrices[1], {.op = IntegerArithmetic::kDotProducts});
  return sum_checked({reshape(product, {shape}), all}, labels).x;
}

/// Multiplies two terms and sums over the labels that neither `later` nor the result has.
Term contract(const Term& a, const Term& b, std::span<const Term> later, const Dims& result,
              bool is_checked) {
  const auto is_wanted = [&](std::int32_t label) {
    return result.contains(label) || std::any_of(later.begin(), later.end(),
                                                 [&](const Term& one) { return one.labels.contains(label); });
  };
  Dims labels;
  for (const Dims* list : {&a.labels, &b.labels}) {
    for (const std::int32_t label : *list) {
      if (is_wanted(label) && !labels.contains(label)) labels.push_back(label);
    }
  }
  if (is_checked) return {contract_checked(a, b, labels), labels};
  return {einsum(a.x, b.x, {.a = a.labels, .b = b.labels, .out = labels}), labels};
}

Tensor einstein_sum(const Call& call) {
  const std::string_view equation = call.attrs().string("equation");
  check(call.size() > 0, "it has no inputs");
  const std::size_t arrow = equation.find("->");
  std::string_view inputs = equation.substr(0, arrow);
  std::vector<Term> terms;
  int ellipsis = 0;
  for (int i = 0; i < call.size(); ++i) {
    const std::size_t comma = std::min(inputs.find(','), inputs.size());
    check((comma < inputs.size()) == (i + 1 < call.size()), "the equation \"", equation, "\" does not fit ",
          call.size(), " inputs");
    const std::string_view text = inputs.substr(0, comma);
    inputs.remove_prefix(std::min(comma + 1, inputs.size()));
    const bool has_ellipsis = text.find("...") != std::string_view::npos;
    const int rest = call[i].rank() - parse_labels(text, 0).rank;
    check_shape(rest >= 0 && (has_ellipsis || rest == 0), "the labels \"", text, "\" do not fit ",
                call[i].shape());
    ellipsis = std::max(ellipsis, rest);
    terms.push_back(take_diagonals({call[i], parse_labels(text, rest)}));
  }
  Dims result;
  if (arrow != std::string_view::npos) {
    result = parse_labels(equation.substr(arrow + 2), ellipsis);
  } else {
    // Without a result, it has the axes of "..." and the labels that are there once, in order.
    for (int k = ellipsis; k-- > 0;) result.push_back(kEllipsis + k);
    const std::string_view all = equation;
    for (char c = 'A'; c <= 'z'; ++c) {
      if (std::count(all.begin(), all.end(), c) == 1) result.push_back(c);
    }
  }
  const bool is_checked = has_64_bits(call, 0);
  Term product = terms[0];
  const std::span<const Term> rest(terms);
  for (std::size_t i = 1; i < terms.size(); ++i)
    product = contract(product, terms[i], rest.subspan(i + 1), result, is_checked);
  if (is_checked) {
    const Term sum = sum_checked(product, result);
    check(sum.labels == result, "the result of \"", equation, "\" has a label that no input has");
    return sum.x;
  }
  if (terms.size() == 1 || !(product.labels == result))
    return einsum(product.x, {.a = product.labels, .out = result});
  return product.x;
}

Tensor eye_like(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() == 2, "expected a matrix, got ", x.shape());
  const DType dtype = call.attrs().dtype("dtype", x.dtype());
  const std::int32_t k = call.attrs().integer("k", 0);
  const auto indices = [&](std::int32_t count, std::int32_t start, Shape shape) {
    return reshape(
        range({.step = 0, .int_start = start, .int_step = 1, .count = count, .dtype = DType::kInt32}),
        {shape});
  };
  const Tensor diagonal = equal(indices(x.dim(0), k, {x.dim(0), 1}), indices(x.dim(1), 0, {1, x.dim(1)}));
  return as_dtype(diagonal, dtype);
}

constexpr Row kRows[] = {
    {"Det", determinant},
    {"Einsum", einstein_sum},
    {"EyeLike", eye_like},
};

}  // namespace

std::span<const Row> linear_algebra_rows() { return kRows; }

}  // namespace tenure::onnx
