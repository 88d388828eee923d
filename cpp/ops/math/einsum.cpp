// Einstein summation by batched matrix multiplication.
#include <algorithm>

#include "core/error.h"
#include "ops/collapsed_extent.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

std::string letters(const Dims& labels) {
  std::string result;
  for (const std::int32_t label : labels) result += static_cast<char>(label);
  return result;
}

void check_labels(const Dims& labels, const Tensor& x, int i) {
  check_shape(labels.size() == x.rank(), "Expected a label for each dimension of input ", i, ", of shape ",
              x.shape(), ", got '", letters(labels), "'");
  for (int k = 0; k < labels.size(); ++k) {
    const bool is_double = std::count(labels.begin(), labels.end(), labels[k]) > 1;
    check(!is_double, "Found duplicate axes in input component ", letters(labels),
          ". Support for duplicate axes in input is not implemented yet.");
  }
}

int find_index(const Dims& labels, std::int32_t label) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

/// Tensor with a label for each dimension.
struct Term {
  Dims labels;
  Tensor x;

  std::int32_t extent(std::int32_t label) const { return x.dim(find_index(labels, label)); }

  /// Returns the sum of the term over the labels that are not in `wanted`.
  Term sum_out(const Dims& wanted) const {
    ReduceAttrs over;
    Dims kept;
    for (int i = 0; i < labels.size(); ++i)
      (wanted.contains(labels[i]) ? kept : over.axes).push_back(wanted.contains(labels[i]) ? labels[i] : i);
    return over.axes.empty() ? *this : Term{kept, sum(x, over)};
  }

  /// Returns the tensor transposed to this order of labels, which must include all of the term's labels.
  Tensor transposed_to(const Dims& order) const {
    PermutationAttrs perm;
    bool moves = false;
    for (const std::int32_t label : order) {
      if (!labels.contains(label)) continue;
      perm.perm.push_back(find_index(labels, label));
      moves |= perm.perm.size() != perm.perm.back() + 1;
    }
    return moves ? transpose(x, perm) : x;
  }
};

/// Returns the labels of all lists, each once.
Dims label_union(std::initializer_list<const Dims*> lists) {
  Dims all;
  for (const Dims* list : lists)
    for (const std::int32_t label : *list)
      if (!all.contains(label)) all.push_back(label);
  return all;
}

}  // namespace

Tensor einsum(const Tensor& a, const Tensor& b, const EinsumAttrs& attrs) {
  check_labels(attrs.a, a, 0);
  if (b) check_labels(attrs.b, b, 1);
  for (int i = 0; i < attrs.out.size(); ++i) {
    const std::int32_t label = attrs.out[i];
    check(attrs.a.contains(label) || (b && attrs.b.contains(label)), "Output subscripts contain the label ",
          letters({label}), " not present in the input subscripts.");
    check(find_index(attrs.out, label) == i, "Output subscripts contain the label ", letters({label}),
          " twice.");
  }
  const Term left = Term{attrs.a, a}.sum_out(b ? label_union({&attrs.out, &attrs.b}) : attrs.out);
  if (!b) return left.transposed_to(attrs.out);
  const Term right = Term{attrs.b, b}.sum_out(label_union({&attrs.out, &left.labels}));
  // Labels of both inputs are contracted or, if the output has them, batched.
  Dims batch;
  Dims rows;
  Dims columns;
  Dims inner;
  Shape out;
  for (const std::int32_t label : left.labels) {
    if (!right.labels.contains(label)) {
      rows.push_back(label);
      continue;
    }
    check_shape(left.extent(label) == right.extent(label), "Expected dimension ", left.extent(label),
                " at axis ", find_index(attrs.b, label), " of input shaped ", b.shape(),
                ", but got dimension ", right.extent(label));
    (attrs.out.contains(label) ? batch : inner).push_back(label);
  }
  for (const std::int32_t label : right.labels)
    if (!left.labels.contains(label)) columns.push_back(label);
  const auto get_extent = [&](const Term& term, const Dims& labels) {
    Shape extents;
    for (const std::int32_t label : labels) extents.push_back(term.extent(label));
    return collapsed_extent(extents);
  };
  const Tensor x = reshape(left.transposed_to(label_union({&batch, &rows, &inner})),
                           {{get_extent(left, batch), get_extent(left, rows), get_extent(left, inner)}});
  const Tensor y = reshape(right.transposed_to(label_union({&batch, &inner, &columns})),
                           {{get_extent(left, batch), get_extent(left, inner), get_extent(right, columns)}});
  const DType dtype = upcast(upcast(a.dtype(), b.dtype()), DType::kInt32);
  const Tensor product = mat_mul(cast(x, {dtype}), cast(y, {dtype}));
  const Dims order = label_union({&batch, &rows, &columns});
  for (const std::int32_t label : order)
    out.push_back(left.labels.contains(label) ? left.extent(label) : right.extent(label));
  return Term{order, reshape(product, {out})}.transposed_to(attrs.out);
}

}  // namespace tenure::composed
