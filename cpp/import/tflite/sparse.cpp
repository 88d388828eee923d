#include "import/tflite/sparse.h"

#include <algorithm>

#include "core/error.h"

namespace tenure::tflite {
namespace {

// Each dimension may be split into blocks once.
constexpr std::size_t kMaxLevels = 2 * kMaxRank;

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

  std::size_t count() const { return count_; }
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
  std::size_t count_ = 1;
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
  const auto dimension_of = [&](std::size_t level) {
    const auto expanded = static_cast<std::size_t>(sparsity.order[level]);
    return expanded < rank ? expanded : static_cast<std::size_t>(sparsity.blocked[expanded - rank]);
  };
  for (std::size_t level = 0; level < levels; ++level) {
    const std::int32_t expanded = sparsity.order[level];
    check(expanded >= 0 && static_cast<std::size_t>(expanded) < levels &&
              !is_there[static_cast<std::size_t>(expanded)],
          "the order of its sparsity has ", expanded);
    is_there[static_cast<std::size_t>(expanded)] = true;
    const std::size_t at = dimension_of(level);
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
      check(extent > 0 && count_ <= INT32_MAX, "sparse dimension ", level, " has the extent ", extent);
      count_ *= static_cast<std::size_t>(extent);
    }
    (static_cast<std::size_t>(expanded) < rank ? extents : blocks)[at] = extent;
  }
  for (std::size_t level = 0; level < levels; ++level) {
    const bool is_outer = static_cast<std::size_t>(sparsity.order[level]) < rank;
    const std::size_t at = dimension_of(level);
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

Tensor make_dense(const Sparsity& sparsity, const Tensor& values, const Shape& shape) {
  const SparseReader reader(sparsity, shape);
  check(reader.count() == values.elements(), "its sparsity has ", reader.count(), " values, its data ",
        values.elements());
  return values.dtype() == DType::kInt32 ? scatter<std::int32_t>(reader, values, shape)
                                         : scatter<float>(reader, values, shape);
}

}  // namespace tenure::tflite
