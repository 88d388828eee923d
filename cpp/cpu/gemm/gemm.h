#pragma once

#include <cstddef>

#include "core/memory/storage.h"
#include "cpu/elementwise/activation.h"

namespace tenure {
class PostOp;
}

/// Row-major float32 GEMM, the shared engine of matMul and the convolutions.
namespace tenure::cpu::gemm {

/// NR: columns in one panel of the right-hand matrix.
constexpr int kNR = 8;

/// Columns that are packed together: four panels, so that whole cache lines of the source are read.
constexpr int kPackedColumns = 4 * kNR;

/// MR: rows of a register tile. Threads share rows in multiples of it.
constexpr int kMR = 4;

/// View of a right-hand matrix [K,N] as panels of eight columns: element (k,n) is at
/// data[n / 8 * panel_stride + k * row_stride + n % 8]. Reads may run 16 bytes past the end.
struct Panels {
  const float* data = nullptr;
  std::size_t panel_stride = 0;
  std::size_t row_stride = 0;
  int columns = 0;

  /// Returns a view of an unpacked row-major matrix whose rows are `row_stride` floats apart. Small products
  /// use it.
  static Panels plain(const float* b, int columns, std::size_t row_stride) {
    return {b, kNR, row_stride, columns};
  }
  const float* at(int k, int column) const {
    return data + static_cast<std::size_t>(column / kNR) * panel_stride +
           static_cast<std::size_t>(k) * row_stride;
  }
};

/// A right-hand matrix copied into panels that are contiguous in memory. The last panel is padded with zero
/// columns. Constant weights are packed once. Copies share their memory.
class PackedB {
 public:
  PackedB() = default;
  /// Allocates [K,N] uninitialized, to be filled row by row. Throws Error(kOutOfMemory).
  PackedB(int rows, int columns);
  /// Packs `count` rows from row `k` on: element (k + i, n) is b[i * step + n], or b[n * step + i] if
  /// transposed.
  void fill(int k, int count, const float* b, std::size_t step, bool transposed);
  /// Writes the matrix to `b`, unpacked; the inverse of pack().
  void unpack(float* b, std::size_t step, bool transposed) const;
  /// True if the packed matrix takes exactly the memory of the unpacked one.
  bool fits_in_place() const { return columns_ % kNR == 0; }
  /// Moves the packed values into `values`, the storage of the unpacked matrix. Requires fits_in_place().
  void move_to(StoragePtr values);
  /// Returns the address of row `k` of the panel that begins at `column`, for callers that write panels
  /// themselves.
  float* at(int k, int column) {
    return data_ + static_cast<std::size_t>(column) * static_cast<std::size_t>(rows_) +
           static_cast<std::size_t>(k) * kNR;
  }
  /// Returns a view of the rows from `first` on.
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

/// Returns a packed copy of a matrix [K,N], or [N,K] if transposed, whose rows are `step` floats apart.
PackedB pack(const float* b, int rows, int columns, std::size_t step, bool transposed);

/// Packs `columns` columns of a matrix, whose rows are `step` floats apart, into panels of rows * kNR
/// floats each.
void pack_columns(const float* b, int rows, int columns, std::size_t step, float* panels);

/// True if packing an unpacked [depth, columns] matrix is profitable for a product with `rows` rows.
bool should_pack(int rows, int depth, int columns);

/// Operations that are applied to a product before it is stored.
struct Epilogue {
  const float* bias = nullptr;  ///< one per column, readable 16 bytes past the end; null for none
  Activation activation = Activation::kLinear;
  float alpha = 0;
  bool accumulate = false;  ///< adds to the output's present values, instead of bias
  /// Post-op that runs on each finished block of rows; null for none. The output must be contiguous from
  /// `result` on.
  const PostOp* post_op = nullptr;
  const float* result = nullptr;
  /// Added to each element of the product; null for none. Has the layout of the output from `result` on.
  const float* residual = nullptr;
  /// PReLU slopes, one per column, readable 16 bytes past the end: negative sums are multiplied by them.
  /// Requires a linear activation. Null for none.
  const float* slopes = nullptr;
  /// Scale of each column, readable 16 bytes past the end: the product is multiplied by it before the bias is
  /// added. Only for packed matrices, without `accumulate`. Null for none.
  const float* scale = nullptr;
};

/// Indirection buffer of a left-hand matrix [count, taps * depth], each row of which consists of pieces that
/// may lie anywhere. Piece t of row r is the `depth` floats at in[t * step + r]; the products of row r go to
/// out[r]. A convolution passes its windows this way, without an im2col copy.
struct IndirectionBuffer {
  const float* const* in = nullptr;
  std::size_t step = 0;
  int taps = 0;
  int depth = 0;
  float* const* out = nullptr;
  int count = 0;
  /// True if the product has only this row. Otherwise all rows are summed in the same order, however threads
  /// split them.
  bool single_row = false;
};

/// Fills row pointers: to[i] = first + i * step for i < count.
void fill_row_pointers(const float* first, std::size_t step, int count, const float** to);
inline void fill_row_pointers(float* first, std::size_t step, int count, float** to) {
  fill_row_pointers(first, step, count, const_cast<const float**>(to));
}

/// MC: rows in a block, whose floats stay in the second-level cache while panel after panel is multiplied
/// with it.
constexpr int kMC = 264;

/// Triggers JIT tier-up of the micro-kernels that products of `rows` rows use.
void tier_up_microkernels(int rows);

/// True if a product of depth `products` stores each output only once, without intermediate sums.
/// `row_stride` is the row stride of the right-hand matrix.
bool fits_one_k_block(int products, std::size_t row_stride);

/// Computes out[r] = activation(rows * b + bias) for one block of rows, on the calling thread. Callers
/// distribute blocks among threads.
void multiply(const IndirectionBuffer& rows, const Panels& b, const Epilogue& epilogue);

/// Computes c[M,N] = activation(a[M,K] * b + bias) on several threads. `a_stride` and `c_stride` are row
/// strides in floats.
void multiply(const float* a, std::size_t a_stride, int rows, int depth, const Panels& b, float* c,
              std::size_t c_stride, const Epilogue& epilogue);

/// Computes out[r] = activation(rows * b + bias) for an unpacked `b` with row stride `b_stride`, on several
/// threads. Takes up to kMC rows. Columns are packed just before use, and read while they are in the
/// second-level cache.
void multiply_packing(const IndirectionBuffer& rows, const float* b, std::size_t b_stride, int columns,
                      const Epilogue& epilogue);
/// Computes c[M,N] = activation(a[M,K] * b[K,N] + bias) for an unpacked `b`, on several threads. Takes up to
/// kMC rows. Columns are packed just before use. `a_stride`, `b_stride` and `c_stride` are row strides in
/// floats.
void multiply_packing(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                      std::size_t b_stride, int columns, float* c, std::size_t c_stride,
                      const Epilogue& epilogue);

/// Computes c[M,N] = activation(a[M,K] * b[N,K]' + bias) as dot products of rows, without packing, on the
/// calling thread. For few rows or few columns.
void multiply_nt_dots(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                      std::size_t b_stride, int columns, float* c, std::size_t c_stride,
                      const Epilogue& epilogue);

/// Computes c[M] = activation(a[M,K] * b[K] + bias), a matrix-vector product, on several threads. The
/// elements of `b` are `b_stride` floats apart, and the bias is a single value. Ignores residual, slopes and
/// scale.
void multiply_vector(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                     std::size_t b_stride, float* c, const Epilogue& epilogue);

}  // namespace tenure::cpu::gemm
