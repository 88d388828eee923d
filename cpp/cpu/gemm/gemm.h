#pragma once

#include <cstddef>

#include "core/memory/storage.h"
#include "cpu/elementwise/activation.h"

namespace tenure {
class Follower;
}

/// Products of float matrices, row major, and the one engine behind matMul and the convolutions.
namespace tenure::cpu::gemm {

/// Columns in a panel of the right-hand matrix.
constexpr int kPanel = 8;

/// Columns that are packed side by side.
constexpr int kPackedColumns = 4 * kPanel;

/// Rows enough for a tile of its own: what threads share are multiples of it.
constexpr int kTileRows = 4;

/// A right-hand matrix [K,N] as panels of eight columns: element (k,n) stands at
/// data[n / 8 * panel_step + k * row_step + n % 8]. Reads may run 16 bytes past the end.
struct Panels {
  const float* data = nullptr;
  std::size_t panel_step = 0;
  std::size_t row_step = 0;
  int columns = 0;

  /// A matrix as it lies, rows `row_step` apart: what small products use.
  static Panels plain(const float* b, int columns, std::size_t row_step) {
    return {b, kPanel, row_step, columns};
  }
  const float* at(int k, int column) const {
    return data + static_cast<std::size_t>(column / kPanel) * panel_step +
           static_cast<std::size_t>(k) * row_step;
  }
};

/// A right-hand matrix copied so that each panel is one run of memory, its last columns filled up with zeros.
/// Made once for constant weights.
/// Copies share their memory.
class PackedB {
 public:
  PackedB() = default;
  /// Room for [K,N], to be filled row by row.
  PackedB(int rows, int columns);
  /// Copies `count` rows from row `k` on: b[i * step + n], or b[n * step + i] when transposed.
  void fill(int k, int count, const float* b, std::size_t step, bool transposed);
  /// The inverse of pack().
  void unpack(float* b, std::size_t step, bool transposed) const;
  /// Whether it takes just the memory of a matrix that is not packed.
  bool fits_in_place() const { return columns_ % kPanel == 0; }
  /// Moves to the memory of such a matrix.
  void move_to(StoragePtr values);
  /// Where row `k` of the panel that begins with `column` is, for those who write panels themselves.
  float* at(int k, int column) {
    return data_ + static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) +
           static_cast<std::size_t>(k) * kPanel;
  }
  /// The rows from `first` on.
  Panels panels(int first = 0) const;
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const StoragePtr& storage() const { return values_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  int rows_ = 0;
  int columns_ = 0;
  StoragePtr values_;
  float* data_ = nullptr;
};

/// A whole matrix [K,N], or [N,K] when transposed, with rows `step` apart.
PackedB pack(const float* b, int rows, int columns, std::size_t step, bool transposed);

/// Some columns of a matrix with rows `step` apart, as panels of rows * kPanel floats each.
void pack_columns(const float* b, int rows, int columns, std::size_t step, float* panels);

/// Whether packing a plain [depth, columns] pays when `rows` rows are to be multiplied with it.
bool worth_packing(int rows, int depth, int columns);

/// What happens to a product before it is stored.
struct Epilogue {
  const float* bias = nullptr;  ///< one for each column, readable 16 bytes past their end; null for none
  Activation activation = Activation::kLinear;
  float alpha = 0;
  bool accumulate = false;  ///< adds to what the output holds, instead of bias
  /// Takes each block of rows that is done, which must lie one behind the other from `result` on.
  const Follower* then = nullptr;
  const float* result = nullptr;
  /// Added to each element of the product: lies as the output does from `result` on.
  const float* residual = nullptr;
  /// One for each column, which negative sums are multiplied with (PReLU), without an activation; likewise
  /// readable.
  const float* slopes = nullptr;
  /// One for each column, which the product is multiplied with before the bias is added; likewise readable.
  /// For matrices in panels, where nothing is accumulated.
  const float* scale = nullptr;
};

/// Rows of a left-hand matrix [count, taps * depth], each in pieces that may lie anywhere: piece t of row r
/// is the `depth` floats at in[t * step + r]; its products go to out[r]. A convolution's windows need no copy
/// this way.
struct Rows {
  const float* const* in = nullptr;
  std::size_t step = 0;
  int taps = 0;
  int depth = 0;
  float* const* out = nullptr;
  int count = 0;
  /// Whether one row is all that there is. Others are summed in one order, wherever threads part them.
  bool alone = false;
};

/// to[i] = first + i * step: rows that lie `step` floats apart.
void line_up(const float* first, std::size_t step, int count, const float** to);
inline void line_up(float* first, std::size_t step, int count, float** to) {
  line_up(first, step, count, const_cast<const float**>(to));
}

/// How many rows make a block whose floats stay in the second-level cache while panel after panel passes.
constexpr int kBlockRows = 264;

/// compile_ahead() of the tiles that products of so many rows are made of.
void compile_tiles_ahead(int rows);

/// Whether sums of so many products are stored but once, with a matrix whose rows lie `row_step` apart.
bool stores_once(int products, std::size_t row_step);

/// out[r] = activation(rows * b + bias) for a block of rows, on one thread: blocks are what threads share.
void multiply(const Rows& rows, const Panels& b, const Epilogue& epilogue);

/// c[M,N] = activation(a[M,K] * b + bias), rows of `a` and `c` lying a_step and c_step apart. On several
/// threads.
void multiply(const float* a, std::size_t a_step, int rows, int depth, const Panels& b, float* c,
              std::size_t c_step, const Epilogue& epilogue);

/// The same with a matrix as it lies, rows `b_step` apart, for up to kBlockRows rows: columns are packed when
/// they are needed, and read while they are in the second-level cache. On several threads.
void multiply_packing(const Rows& rows, const float* b, std::size_t b_step, int columns,
                      const Epilogue& epilogue);
void multiply_packing(const float* a, std::size_t a_step, int rows, int depth, const float* b,
                      std::size_t b_step, int columns, float* c, std::size_t c_step,
                      const Epilogue& epilogue);

/// c[M,N] = activation(a[M,K] * b[N,K]' + bias) as dot products of rows: for few rows or few columns, without
/// packing.
void multiply_dots(const float* a, std::size_t a_step, int rows, int depth, const float* b,
                   std::size_t b_step, int columns, float* c, std::size_t c_step, const Epilogue& epilogue);

/// c[M] = activation(a[M,K] * b[K] + bias) for a matrix of one column, whose elements lie `b_step` apart.
/// Knows no residual, slopes or scale. On several threads.
void multiply_column(const float* a, std::size_t a_step, int rows, int depth, const float* b,
                     std::size_t b_step, float* c, const Epilogue& epilogue);

}  // namespace tenure::cpu::gemm
