#include "stub/backend.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "shape_util/broadcast.h"
#include "shape_util/reduce.h"
#include "shape_util/strided_indexer.h"
#include "stub/device.h"

namespace tenure::stub {
namespace {

double negate(double x) { return -x; }
double exponential(double x) { return std::exp(x); }

template <double (*kFunction)(double)>
void unary(const KernelArgs& args) {
  std::vector<double> values = get_values(args.in[0]);
  for (double& value : values) value = kFunction(value);
  set_values(args.out, std::move(values));
}

/// Converts floats beyond the range of int32 to the nearest of it, and NaN to 0.
void cast(const KernelArgs& args) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<double> values = get_values(args.in[0]);
  if (args.out.dtype() == DType::kInt32) {
    for (double& value : values) {
      value = std::isnan(value) ? 0 : std::clamp(value, double{Limits::min()}, double{Limits::max()});
    }
  }
  set_values(args.out, std::move(values));
}

/// Returns the offset of an element in an input with these strides.
std::size_t get_offset(std::size_t element, int rank, const std::size_t* extents,
                       const std::size_t* strides) {
  std::size_t offset = 0;
  for (int d = rank - 1; d >= 0; --d) {
    offset += element % extents[d] * strides[d];
    element /= extents[d];
  }
  return offset;
}

/// Returns the function of two elements of type int32, whose products are not exact in double.
template <class Function>
double apply_to_ints(double x, double y) {
  const auto bits = [](double value) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(value)); };
  return Function()(bits(x), bits(y));
}

template <template <class> class Function>
void binary(const KernelArgs& args) {
  const BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  const std::vector<double>& a = get_values(args.in[0]);
  const std::vector<double>& b = get_values(args.in[1]);
  const bool is_int = args.out.dtype() == DType::kInt32;
  std::vector<double> values(args.out.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = a[get_offset(i, plan.rank, plan.extent, plan.stride_a)];
    const double y = b[get_offset(i, plan.rank, plan.extent, plan.stride_b)];
    values[i] = is_int ? apply_to_ints<Function<std::uint32_t>>(x, y) : Function<double>()(x, y);
  }
  set_values(args.out, std::move(values));
}

void sum(const KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  std::vector<double> values = get_values(args.in[0]);
  CollapsedReduction runs(shape, normalize_axes(args.attrs.as<ReduceAttrs>().axes, shape.rank));
  while (runs.any_reduced()) {
    const Extents e = runs.pop();
    std::vector<double> sums(e.outer * e.inner);
    for (std::size_t i = 0; i < values.size(); ++i)
      sums[i / e.inner / e.reduced * e.inner + i % e.inner] += values[i];
    values = std::move(sums);
  }
  set_values(args.out, std::move(values));
}

void transpose(const KernelArgs& args) {
  const auto attrs = args.attrs.as<PermutationAttrs>();
  const Shape& shape = args.in[0].shape();
  const Dims strides = shape.strides();
  StridedIndexer indexer;
  for (int i = 0; i < shape.size(); ++i) {
    const int axis = attrs.perm.empty() ? shape.size() - 1 - i : attrs.perm[i];
    indexer.add(shape[axis], {strides[axis], 0, 0});
  }
  indexer.finish();
  std::size_t extents[kMaxRank];
  std::size_t input_strides[kMaxRank];
  for (int d = 0; d < indexer.rank; ++d) {
    extents[d] = static_cast<std::size_t>(indexer.extent[d]);
    input_strides[d] = static_cast<std::size_t>(indexer.stride[d][0]);
  }
  const std::vector<double>& x = get_values(args.in[0]);
  std::vector<double> values(x.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = x[get_offset(i, indexer.rank, extents, input_strides)];
  set_values(args.out, std::move(values));
}

Backend make_backend() {
  Backend table{};
  table.name = "stub";
  table.device = &device();
  const auto at = [&](Op op) -> KernelFn& { return table.kernels[static_cast<std::size_t>(op)]; };
  at(Op::neg) = unary<negate>;
  at(Op::exp) = unary<exponential>;
  at(Op::cast) = cast;
  at(Op::add) = binary<std::plus>;
  at(Op::mul) = binary<std::multiplies>;
  at(Op::sum) = sum;
  at(Op::transpose) = transpose;
  return table;
}

}  // namespace

const Backend& backend() {
  static const Backend kTable = make_backend();
  return kTable;
}

}  // namespace tenure::stub
