// Constants that are stored in other forms: sparse, or in blocks that have a scale each.

#include "import/tflite/rare/sparse.h"

#include <algorithm>

#include "core/error.h"
#include "import/tflite/reader.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

// Each dimension may be split into blocks once.
constexpr std::size_t kMaxLevels = 2 * kMaxRank;

/// A dimension of a sparse tensor: dense, or compressed as rows are in a CSR matrix.
struct SparseDimension {
  bool is_compressed = false;
  std::int32_t extent = 0;
  std::vector<std::int32_t> segments;
  std::vector<std::int32_t> indices;
};

/// The order in which a sparse tensor stores the dimensions of its blocks.
struct Sparsity {
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> blocked;  ///< dimensions of the tensor that are split into blocks
  std::vector<SparseDimension> dimensions;
};

/// Reads a union of vectors of 32, 16 or 8 bits.
std::vector<std::int32_t> read_index_vector(const Table& table, int type_field) {
  const auto type = table.number<std::uint8_t>(type_field);
  if (type == 0) return {};
  check(type <= 3, "the table at byte ", table.position(), " has an index vector of the type ", type);
  const std::optional<Table> vector = table.table(type_field + 1);
  check(vector.has_value(), "the table at byte ", table.position(), " has no index vector");
  if (type == 1) return vector->numbers<std::int32_t>(0);
  std::vector<std::int32_t> values;
  if (type == 2) {
    for (const std::uint16_t value : vector->numbers<std::uint16_t>(0)) values.push_back(value);
  } else {
    for (const std::byte value : vector->bytes(0)) values.push_back(std::to_integer<std::int32_t>(value));
  }
  return values;
}

Sparsity read_sparsity(const Table& table) {
  Sparsity sparsity{table.numbers<std::int32_t>(0), table.numbers<std::int32_t>(1), {}};
  const TableList dimensions = table.tables(2);
  for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
    try {
      const Table one = dimensions[i];
      sparsity.dimensions.push_back({one.number<std::int8_t>(0) == 1, one.number<std::int32_t>(1),
                                     read_index_vector(one, 2), read_index_vector(one, 4)});
    } catch (const Error& error) {
      fail_with(error.code(), text("sparse dimension ", i, ": ", error.what()));
    }
  }
  return sparsity;
}

bool is_ascending(const std::vector<std::int32_t>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] < values[i - 1]) return false;
  }
  return true;
}

/// Walks the stored values in order. A level is a dimension in the order of storage.
class SparseReader {
 public:
  SparseReader(const Sparsity& sparsity, const Shape& shape);

  std::uint64_t count() const { return count_; }
  /// Calls `visit` with the position in the dense tensor of each value, in order.
  template <class F>
  void for_each(const F& visit) const {
    walk(0, 0, 0, visit);
  }

 private:
  template <class F>
  void walk(std::size_t level, std::size_t parent, std::int64_t position, const F& visit) const {
    if (level == sparsity_.dimensions.size()) return visit(static_cast<std::size_t>(position));
    const SparseDimension& dimension = sparsity_.dimensions[level];
    if (!dimension.is_compressed) {
      const auto extent = static_cast<std::size_t>(dimension.extent);
      for (std::size_t i = 0; i < extent; ++i)
        walk(level + 1, parent * extent + i, position + static_cast<std::int64_t>(i) * strides_[level],
             visit);
      return;
    }
    const auto end = static_cast<std::size_t>(dimension.segments[parent + 1]);
    for (auto i = static_cast<std::size_t>(dimension.segments[parent]); i < end; ++i)
      walk(level + 1, i, position + dimension.indices[i] * strides_[level], visit);
  }

  const Sparsity& sparsity_;
  std::vector<std::int64_t> strides_;  ///< distance in the dense tensor, by level
  std::uint64_t count_ = 1;
};

SparseReader::SparseReader(const Sparsity& sparsity, const Shape& shape) : sparsity_(sparsity) {
  const auto rank = static_cast<std::size_t>(shape.rank);
  const std::size_t levels = sparsity.dimensions.size();
  check(sparsity.order.size() == levels && levels == rank + sparsity.blocked.size() && levels <= kMaxLevels,
        "its sparsity has ", levels, " dimensions, ", sparsity.blocked.size(),
        " of them of blocks, and an order of ", sparsity.order.size(), ", its shape has ", rank);
  const Dims dense_strides = shape.strides();
  std::vector<std::int32_t> extents(rank, 0);
  std::vector<std::int32_t> blocks(rank, 1);
  std::vector<bool> is_there(levels, false);
  const auto get_dimension = [&](std::size_t level) {
    const auto expanded = static_cast<std::size_t>(sparsity.order[level]);
    return expanded < rank ? expanded : static_cast<std::size_t>(sparsity.blocked[expanded - rank]);
  };
  for (std::size_t level = 0; level < levels; ++level) {
    const std::int32_t expanded = sparsity.order[level];
    check(expanded >= 0 && static_cast<std::size_t>(expanded) < levels &&
              !is_there[static_cast<std::size_t>(expanded)],
          "the order of its sparsity has ", expanded);
    is_there[static_cast<std::size_t>(expanded)] = true;
    const std::size_t at = get_dimension(level);
    check(at < rank && (static_cast<std::size_t>(expanded) < rank ||
                        std::count(sparsity.blocked.begin(), sparsity.blocked.end(), at) == 1),
          "its sparsity has blocks of dimension ", at, ", or has these twice");
    const SparseDimension& dimension = sparsity.dimensions[level];
    std::int32_t extent = dimension.extent;
    if (dimension.is_compressed) {
      const std::vector<std::int32_t>& segments = dimension.segments;
      check(segments.size() == count_ + 1 && segments[0] == 0 && is_ascending(segments) &&
                static_cast<std::size_t>(segments.back()) == dimension.indices.size(),
            "the segments of sparse dimension ", level, " do not fit its ", dimension.indices.size(),
            " indices");
      count_ = dimension.indices.size();
      // The extent of a compressed dimension is not stored.
      extent = static_cast<std::size_t>(expanded) < rank ? shape[static_cast<int>(at)] : 0;
    } else {
      check(extent > 0, "sparse dimension ", level, " has the extent ", extent);
      count_ *= static_cast<std::uint64_t>(extent);
      check(count_ <= INT32_MAX, "its sparsity has ", count_, " values in ", level + 1, " dimensions");
    }
    (static_cast<std::size_t>(expanded) < rank ? extents : blocks)[at] = extent;
  }
  for (std::size_t level = 0; level < levels; ++level) {
    const bool is_outer = static_cast<std::size_t>(sparsity.order[level]) < rank;
    const std::size_t at = get_dimension(level);
    const std::int64_t block = blocks[at];
    strides_.push_back(dense_strides[static_cast<int>(at)] * (is_outer ? block : 1));
    const SparseDimension& dimension = sparsity.dimensions[level];
    const std::int64_t highest =
        dimension.is_compressed ? dimension.indices.empty()
                                      ? 0
                                      : *std::max_element(dimension.indices.begin(), dimension.indices.end())
                                : dimension.extent - 1;
    check(block > 0 &&
              (dimension.indices.empty() ||
               *std::min_element(dimension.indices.begin(), dimension.indices.end()) >= 0) &&
              (is_outer ? highest * block + block - 1 : highest) < shape[static_cast<int>(at)],
          "sparse dimension ", level, " reaches beyond extent ", shape[static_cast<int>(at)]);
    check(is_outer || highest < block, "sparse dimension ", level, " reaches beyond its block of ", block);
  }
}

template <class T>
Tensor scatter(const SparseReader& reader, const Tensor& values, const Shape& shape) {
  Tensor dense({shape, values.dtype()});
  const std::span to(dense.mutable_data<T>(), dense.elements());
  std::fill(to.begin(), to.end(), T{0});
  const std::span<const T> from = values.values<T>();
  std::size_t next = 0;
  reader.for_each([&](std::size_t at) { to[at] = from[next++]; });
  return dense;
}

}  // namespace

Tensor make_dense(const Table& table, const Tensor& values, const Shape& shape) {
  const Sparsity sparsity = read_sparsity(table);
  const SparseReader reader(sparsity, shape);
  check(reader.count() == values.elements(), "its sparsity has ", reader.count(), " values, its data ",
        values.elements());
  return values.dtype() == DType::kInt32 ? scatter<std::int32_t>(reader, values, shape)
                                         : scatter<float>(reader, values, shape);
}

Tensor GraphReader::dequantize_blocks(const NameScope& scope, const TensorDef& def) {
  const auto number = def.blocks->number<std::int32_t>(0);
  const auto size = def.blocks->number<std::int32_t>(2);
  check(number >= 0 && static_cast<std::size_t>(number) < scope.graph.tensors.size(),
        "its scales are tensor ", number, " of ", scope.graph.tensors.size());
  check(def.blocks->number<std::int32_t>(1) <= 0, "blocks with zero points are not supported");
  const Shape shape = to_shape(def.shape);
  check(shape.rank > 0 && size > 0 && shape.back() % size == 0, "blocks of ", size,
        " elements do not fit its shape ", shape);
  const TensorDef& scales = get_tensor(scope, number);
  count_decoded(scales);
  const Tensor factors = decode_tensor(scales, get_buffer(scales));
  const auto blocks = static_cast<std::int32_t>(shape.elements() / static_cast<std::size_t>(size));
  check(factors.dtype() == DType::kFloat32 && factors.elements() == static_cast<std::size_t>(blocks), "its ",
        blocks, " blocks have ", factors.elements(), " scales of ", get_type_name(scales.type));
  const Tensor values = cast(decode_tensor(def, get_buffer(def)), {DType::kFloat32});
  return reshape(mul(reshape(values, {Shape{blocks, size}}), reshape(factors, {Shape{blocks, 1}})), {shape});
}

}  // namespace tenure::tflite
