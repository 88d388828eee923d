// Ops that read or write elements at indices.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/strings.h"
#include "import/tflite/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::tflite {
namespace {

constexpr Option kGatherOptions[] = {{"axis", 0, Option::kInt}, {"batch_dims", 1, Option::kInt}};
constexpr Option kCombiner[] = {{"combiner", 0, Option::kByte}};
constexpr Option kBoundaries[] = {{"boundaries", 0, Option::kFloats}};

Tensor gathered(const Call& call) {
  const Tensor indices = as_indices(call[1]);
  const std::int32_t batch_dims = call.attrs().integer("batch_dims", 0);
  return gather(call[0], indices,
                {.axis = normalize_axis(call.attrs().integer("axis", 0), call[0].rank()),
                 .batch_dims = batch_dims < 0 ? batch_dims + indices.rank() : batch_dims});
}

Tensor gathered_from(const Call& call) { return gather_nd(call[0], as_indices(call[1])); }
Tensor scattered(const Call& call) { return scatter_nd(as_indices(call[0]), call[1], {call.dims(2)}); }

/// Selects whole slices if the condition has one value for each.
Tensor selected(const Call& call) {
  Tensor condition = call[0];
  const Tensor& a = call[1];
  if (condition.rank() == 1 && a.rank() > 1 && condition.dim(0) == a.dim(0)) {
    Shape shape{condition.dim(0)};
    while (shape.rank < a.rank()) shape.push_back(1);
    condition = reshape(condition, {shape});
  }
  return where(condition, a, call[2]);
}
Tensor selected_broadcast(const Call& call) { return where(call[0], call[1], call[2]); }

/// Returns the indices of elements that are not 0, a row for each.
Tensor nonzero(const Call& call) {
  const Tensor condition = as_dtype(call.value(0), DType::kBool);
  const std::span<const std::uint8_t> values = condition.values<std::uint8_t>();
  const Dims strides = condition.shape().strides();
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    for (int k = 0; k < condition.rank(); ++k)
      found.push_back(static_cast<std::int32_t>(i) / strides[k] % condition.dim(k));
  }
  const std::int32_t width = condition.rank();
  const auto rows = width == 0 ? 0 : static_cast<std::int32_t>(found.size()) / width;
  return Tensor::from(std::span<const std::int32_t>(found), {rows, width});
}

EdgeValues unique_values(const Call& call) { return to_edge_values(unique(call.value(0), {0})); }

/// Writes input 1 over input 0, from the indices of input 2 on, which are clamped to where it fits.
Tensor updated(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& update = call[1];
  const Dims given = call.dims(2);
  check_shape(given.rank == x.rank() && update.rank() == x.rank(), "an update of ", update.shape(), " at ",
              given.rank, " indices does not fit ", x.shape());
  PadAttrs pads;
  for (int i = 0; i < x.rank(); ++i) {
    check_shape(update.dim(i) <= x.dim(i), "an update of ", update.shape(), " does not fit ", x.shape());
    pads.before.push_back(std::clamp(given[i], 0, x.dim(i) - update.dim(i)));
    pads.after.push_back(x.dim(i) - update.dim(i) - pads.before[i]);
  }
  const Tensor covered = pad(fill({.shape = update.shape(), .value = 1}), pads);
  const Tensor is_covered = greater(covered, Tensor::scalar(0.5F));
  if (x.dtype() == DType::kFloat32) return where(is_covered, pad(update, pads), x);
  const Tensor values = pad(as_dtype(update, DType::kInt32), pads);
  return as_dtype(where(is_covered, values, as_dtype(x, DType::kInt32)), x.dtype());
}

/// Returns the number of segments that ids need.
std::int32_t count_segments(const Call& call) {
  std::int32_t last = -1;
  for (const std::int32_t id : call.integers(1)) last = std::max(last, id);
  check_shape(last < std::numeric_limits<std::int32_t>::max(), "segment ", last, " is too large");
  return last + 1;
}

Tensor sum_segments(const Call& call, std::int32_t segments) {
  const Tensor ids = as_indices(call[1]);
  return run(Op::unsorted_segment_sum, {&call[0], &ids}, AttrsView(SegmentsAttrs{.segments = segments}));
}

Tensor summed_segments(const Call& call) { return sum_segments(call, count_segments(call)); }

Tensor unsorted_sum(const Call& call) { return sum_segments(call, call.integer(2)); }

template <class T>
T combine(std::string_view op, T a, T b) {
  if (op == "UNSORTED_SEGMENT_PROD") return a * b;
  return op == "UNSORTED_SEGMENT_MAX" ? std::max(a, b) : std::min(a, b);
}

template <class T>
Tensor combined(const Call& call, const Tensor& x, std::int32_t segments) {
  const std::vector<std::int32_t> ids = call.integers(1);
  const int ids_rank = call[1].rank();
  check_shape(segments >= 0 && ids_rank <= x.rank() && ids.size() == x.shape().elements(0, ids_rank),
              "ids of shape ", call[1].shape(), " do not fit ", x.shape());
  Shape shape{segments};
  for (int i = ids_rank; i < x.rank(); ++i) shape.push_back(x.dim(i));
  Tensor result({shape, x.dtype()});
  const std::span to(result.mutable_data<T>(), result.elements());
  const std::string_view op = call.node().op;
  std::fill(to.begin(), to.end(),
            op == "UNSORTED_SEGMENT_PROD"  ? T{1}
            : op == "UNSORTED_SEGMENT_MAX" ? std::numeric_limits<T>::lowest()
                                           : std::numeric_limits<T>::max());
  const std::size_t size = x.shape().elements(ids_rank, x.rank());
  const std::span<const T> from = x.values<T>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) continue;
    check_shape(ids[i] < segments, "segment ", ids[i], " is one of ", segments);
    for (std::size_t k = 0; k < size; ++k) {
      T& value = to[static_cast<std::size_t>(ids[i]) * size + k];
      value = combine(op, value, from[i * size + k]);
    }
  }
  return result;
}

Tensor unsorted_combined(const Call& call) {
  const Tensor& x = call.value(0);
  const std::int32_t segments = call.integer(2);
  check_shape(segments >= 0 && segments <= 1 << 24, "there are ", segments, " segments");
  if (x.dtype() == DType::kInt32) return combined<std::int32_t>(call, x, segments);
  return combined<float>(call, as_dtype(x, DType::kFloat32), segments);
}

/// Returns the number of boundaries that are not above each value.
Tensor bucketed(const Call& call) {
  std::vector<float> boundaries;
  for (const double boundary : call.attrs().numbers("boundaries"))
    boundaries.push_back(static_cast<float>(boundary));
  const Tensor x = as_dtype(call[0], DType::kFloat32);
  const auto count = static_cast<std::int32_t>(boundaries.size());
  const Tensor row = Tensor::from(std::span<const float>(boundaries), {count});
  const Tensor is_above = greater_equal(reshape(x, {Shape{-1, 1}}), row);
  return reshape(sum(cast(is_above, {DType::kInt32}), {.axes = {1}}), {x.shape()});
}

Tensor diagonal_matrix(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() > 0, "expected a vector at least, got a scalar");
  const Tensor identity = eye({.rows = x.shape().back(), .columns = x.shape().back(), .dtype = x.dtype()});
  return mul(expand_dims(x, {-1}), identity);
}

/// Replaces the main diagonal of input 0 by input 1.
Tensor with_diagonal(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() >= 2 && call[1].rank() == x.rank() - 1, "a diagonal of ", call[1].shape(),
              " does not fit matrices of ", x.shape());
  const std::int32_t rows = x.shape().back(1);
  const std::int32_t columns = x.shape().back();
  check_shape(call[1].shape().back() == std::min(rows, columns), "a diagonal of ", call[1].shape(),
              " does not fit matrices of ", x.shape());
  PadAttrs pads;
  for (int i = 0; i < call[1].rank(); ++i) {
    pads.before.push_back(0);
    pads.after.push_back(i + 1 < call[1].rank() ? 0 : columns - std::min(rows, columns));
  }
  const Tensor diagonal = expand_dims(pad(call[1], pads), {-2});
  const Tensor is_on = equal(eye({.rows = rows, .columns = columns}), Tensor::scalar(1.0F));
  return where(is_on, broadcast_to(diagonal, {x.shape()}), x);
}

/// Returns the slices of input 1 at the indices of input 0.
Tensor looked_up(const Call& call) { return gather(call[1], as_indices(call[0]), {.axis = 0}); }

/// Returns the rows of input 2 for keys among those of input 1, which ascend, and whether each key is there.
/// The other rows are zeros or empty strings.
EdgeValues lookup_by_key(const Call& call) {
  const std::vector<std::int32_t> keys = call.integers(0);
  const std::vector<std::int32_t> known = call.integers(1);
  const Tensor& rows = call.value(2);
  check_shape(rows.rank() > 0 && static_cast<std::size_t>(rows.dim(0)) == known.size(), "rows of ",
              rows.shape(), " do not fit ", known.size(), " keys");
  const auto count = static_cast<std::int32_t>(keys.size());
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> hits;
  for (const std::int32_t key : keys) {
    const auto at = std::lower_bound(known.begin(), known.end(), key);
    const bool is_there = at != known.end() && *at == key;
    hits.push_back(is_there ? 1 : 0);
    positions.push_back(is_there ? static_cast<std::int32_t>(at - known.begin()) : 0);
  }
  const Tensor found = Tensor::from(std::span<const std::int32_t>(hits), {count});
  if (rows.dtype() == DType::kString) {
    check_shape(rows.rank() == 1, "expected a string for each key, got ", rows.shape());
    const Strings strings(rows);
    std::vector<std::string_view> values;
    values.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
      values.push_back(hits[i] != 0 ? strings[static_cast<std::size_t>(positions[i])] : std::string_view());
    return {make_string_tensor(values, {count}), found};
  }
  check_shape(!known.empty() || keys.empty(), "there are no keys");
  Shape shape{count};
  while (shape.rank < rows.rank()) shape.push_back(1);
  const Tensor picked =
      gather(rows, Tensor::from(std::span<const std::int32_t>(positions), {count}), {.axis = 0});
  return {where(cast(reshape(found, {shape}), {DType::kBool}), picked, zero_like(rows)), found};
}

/// Sum of the weights of an output row and of their squares, and the number of its entries.
struct Bucket {
  float weight = 0;
  float squares = 0;
  std::size_t count = 0;
};

float get_divisor(std::int32_t combiner, const Bucket& bucket) {
  switch (combiner) {
    case 0: return 1;
    case 1: return bucket.weight;
    case 2: return std::sqrt(bucket.squares);
    default: fail("its combiner is number ", combiner);
  }
}

/// Returns the output row of an index of a sparse tensor of `dense` extents, without its last number.
std::size_t find_bucket(std::span<const std::int32_t> index, const Dims& dense) {
  std::size_t bucket = 0;
  for (int k = 0; k + 1 < dense.rank; ++k) {
    const std::int32_t at = index[static_cast<std::size_t>(k)];
    check_shape(at >= 0 && at < dense[k], "index ", at, " is beyond extent ", dense[k]);
    bucket = bucket * static_cast<std::size_t>(dense[k]) + static_cast<std::size_t>(at);
  }
  return bucket;
}

/// Sums the rows of input 4 with the numbers of input 0 and the weights of input 3, in the rows of the sparse
/// indices of input 1, whose dense shape is input 2.
Tensor looked_up_sparsely(const Call& call) {
  const std::vector<std::int32_t> ids = call.integers(0);
  const std::vector<std::int32_t> indices = call.integers(1);
  const Dims dense = call.dims(2);
  const Tensor& weights = call.value(3);
  const Tensor& table = call.value(4);
  const auto width = static_cast<std::size_t>(dense.rank);
  check_shape(dense.rank > 0 && indices.size() == ids.size() * width && weights.elements() == ids.size() &&
                  table.rank() > 1 && weights.dtype() == DType::kFloat32 && table.dtype() == DType::kFloat32,
              ids.size(), " numbers, indices of ", call[1].shape(), ", ", weights.elements(),
              " weights and a table of ", table.shape(), " do not fit a shape of ", dense.rank, " extents");
  check_shape(dense.rank + table.rank() - 2 <= kMaxRank, "its output would have the rank ",
              dense.rank + table.rank() - 2);
  Shape shape;
  for (int k = 0; k + 1 < dense.rank; ++k) {
    check_shape(dense[k] >= 0, "its shape has the extent ", dense[k]);
    shape.push_back(dense[k]);
  }
  for (int k = 1; k < table.rank(); ++k) shape.push_back(table.dim(k));
  shape.validate();
  const std::size_t size = table.shape().elements(1, table.rank());
  Tensor result({shape, DType::kFloat32});
  const std::span to(result.mutable_data<float>(), result.elements());
  std::fill(to.begin(), to.end(), 0.0F);
  if (to.empty()) return result;
  std::vector<Bucket> buckets(shape.elements(0, dense.rank - 1));
  const std::span<const float> rows = table.values<float>();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    check_shape(ids[i] >= 0 && ids[i] < table.dim(0), "it reads row ", ids[i], " of ", table.dim(0));
    const std::size_t bucket = find_bucket(std::span(indices).subspan(i * width, width), dense);
    const float weight = weights.values<float>()[i];
    buckets[bucket].weight += weight;
    buckets[bucket].squares += weight * weight;
    ++buckets[bucket].count;
    const std::span<const float> row = rows.subspan(static_cast<std::size_t>(ids[i]) * size, size);
    for (std::size_t k = 0; k < size; ++k) to[bucket * size + k] += row[k] * weight;
  }
  const std::int32_t combiner = call.attrs().integer("combiner", 0);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const float divisor = get_divisor(combiner, buckets[i]);
    // A row that no index names stays 0.
    if (buckets[i].count == 0) continue;
    for (std::size_t k = 0; k < size; ++k) to[i * size + k] /= divisor;
  }
  return result;
}

EdgeValues extremes(const Call& call) { return to_edge_values(topk(call[0], {call.integer(1)})); }

constexpr OpRow kRows[] = {
    {kGather, {"GATHER", gathered}, kGatherOptions, Quantized::kSame},
    {kStoredGather, {"GATHER", gathered}, kGatherOptions, Quantized::kStored},
    {7, {"EMBEDDING_LOOKUP", looked_up}, {}, Quantized::kSame},
    {10, {"HASHTABLE_LOOKUP", lookup_by_key}},
    {33, {"EMBEDDING_LOOKUP_SPARSE", looked_up_sparsely}, kCombiner},
    {48, {"TOPK_V2", extremes}, {}, Quantized::kSame},
    {64, {"SELECT", selected}, {}, Quantized::kSame},
    {103, {"UNIQUE", unique_values}},
    {107, {"GATHER_ND", gathered_from}, {}, Quantized::kSame},
    {109, {"WHERE", nonzero}},
    {113, {"MATRIX_DIAG", diagonal_matrix}, {}, Quantized::kSame},
    {115, {"MATRIX_SET_DIAG", with_diagonal}, {}, Quantized::kSame},
    {122, {"SCATTER_ND", scattered}, {}, Quantized::kSame},
    {123, {"SELECT_V2", selected_broadcast}, {}, Quantized::kSame},
    {125, {"SEGMENT_SUM", summed_segments}},
    {147, {"BUCKETIZE", bucketed}, kBoundaries},
    {151, {"DYNAMIC_UPDATE_SLICE", updated}, {}, Quantized::kSame},
    {153, {"UNSORTED_SEGMENT_PROD", unsorted_combined}},
    {154, {"UNSORTED_SEGMENT_MAX", unsorted_combined}},
    {155, {"UNSORTED_SEGMENT_SUM", unsorted_sum}},
    {157, {"UNSORTED_SEGMENT_MIN", unsorted_combined}},
};

}  // namespace

std::span<const OpRow> indexing_rows() { return kRows; }

}  // namespace tenure::tflite
