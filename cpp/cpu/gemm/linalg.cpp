#include <algorithm>
#include <cassert>

#include "cpu/gemm/bias.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/kernels.h"
#include "cpu/movement/transpose_block.h"
#include "cpu/quant/half_gemm.h"
#include "cpu/threads/scratch.h"
#include "shape_util/mat_mul.h"

namespace tenure::cpu {
namespace {

// M, N and K of one product of a batch, and its operands' layouts.
struct MatMulSizes {
  int rows;
  int columns;
  int depth;
  bool transpose_a;
  bool transpose_b;

  std::size_t a_elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(depth); }
  std::size_t b_elements() const {
    return static_cast<std::size_t>(depth) * static_cast<std::size_t>(columns);
  }
  std::size_t out_elements() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

MatMulSizes get_sizes(const KernelArgs& args, const MatMulAttrs& attrs) {
  const int depth = args.in[0].shape().back(attrs.transpose_a ? 1 : 0);
  MatMulSizes s = {args.out.shape().back(1), args.out.shape().back(), depth, attrs.transpose_a != 0,
                   attrs.transpose_b != 0};
  // A vector has the same layout when transposed.
  if (s.rows == 1 || s.depth == 1) s.transpose_a = false;
  if (s.columns == 1) s.transpose_b = true;
  return s;
}

// Returns the index, in a tensor of shape `shape` that broadcasts to `out`, of the source of element `index`.
std::size_t broadcast_index(const Shape& shape, const Shape& out, std::size_t index) {
  std::size_t from = 0;
  std::size_t step = 1;
  for (int i = 0; i < shape.rank; ++i) {
    const auto extent = static_cast<std::size_t>(out.back(i));
    if (shape.back(i) != 1) from += index % extent * step;
    step *= static_cast<std::size_t>(shape.back(i));
    index /= extent;
  }
  return from;
}

// Calls f(index of a's matrix, of b's, of the output's) for each product of the batch.
template <class F>
void for_each_product(const KernelArgs& args, F f) {
  const Shape a = get_batch_dims(args.in[0].shape());
  const Shape b = get_batch_dims(args.in[1].shape());
  const Shape out = get_batch_dims(args.out.shape());
  for (std::size_t i = 0; i < out.elements(); ++i)
    f(broadcast_index(a, out, i), broadcast_index(b, out, i), i);
}

template <class T>
void broadcast_bias(const Tensor& bias, Tensor& out) {
  const auto width = static_cast<std::size_t>(out.shape().back());
  const bool is_row = bias.rank() > 0 && bias.shape().back() != 1;
  for (std::size_t i = 0; i < out.elements(); i += width) {
    const T* source = bias.data<T>() + broadcast_index(bias.shape(), out.shape(), i);
    T* row = out.mutable_data<T>() + i;
    if (is_row) {
      std::copy_n(source, width, row);
    } else {
      std::fill_n(row, width, *source);
    }
  }
}

void multiply_panels(const float* a, const gemm::Panels& b, float* c, const MatMulSizes& s,
                     const gemm::Epilogue& epilogue) {
  const auto depth = static_cast<std::size_t>(s.depth);
  const auto columns = static_cast<std::size_t>(s.columns);
  if (!s.transpose_a) return gemm::multiply(a, depth, s.rows, s.depth, b, c, columns, epilogue);
  constexpr int kBlockFloats = 1 << 18;
  const int block_rows = std::clamp(kBlockFloats / std::max(s.depth, 1), gemm::kMR, gemm::kMC);
  Scratch<float> block(static_cast<std::size_t>(block_rows), depth);
  for (int r = 0; r < s.rows; r += block_rows) {
    const int count = std::min(block_rows, s.rows - r);
    transpose_block(a + r, s.rows, block.data(), s.depth, count, s.depth);
    gemm::multiply(block.data(), depth, count, s.depth, b, c + static_cast<std::size_t>(r) * columns, columns,
                   epilogue);
  }
}

void multiply_one(const float* a, const float* b, float* c, const MatMulSizes& s,
                  const gemm::Epilogue& epilogue) {
  const auto depth = static_cast<std::size_t>(s.depth);
  const auto columns = static_cast<std::size_t>(s.columns);
  if (s.columns == 1 && !s.transpose_a)
    return gemm::multiply_vector(a, depth, s.rows, s.depth, b, 1, c, epilogue);
  // A row times a transposed matrix is this matrix times a column, on several threads.
  if (s.transpose_b && s.rows == 1 && !epilogue.bias)
    return gemm::multiply_vector(b, depth, s.columns, s.depth, a, 1, c, epilogue);
  if (s.transpose_b && !s.transpose_a && (s.rows < gemm::kMR || s.columns < gemm::kNR)) {
    return gemm::multiply_nt_dots(a, depth, s.rows, s.depth, b, depth, s.columns, c, columns, epilogue);
  }
  if (!s.transpose_b && !gemm::should_pack(s.rows, s.depth, s.columns)) {
    return multiply_panels(a, gemm::Panels::plain(b, s.columns, columns), c, s, epilogue);
  }
  if (!s.transpose_b && !s.transpose_a && s.rows <= gemm::kMC)
    return gemm::multiply_packing(a, depth, s.rows, s.depth, b, columns, s.columns, c, columns, epilogue);
  const gemm::PackedB packed =
      gemm::pack(b, s.depth, s.columns, s.transpose_b ? depth : columns, s.transpose_b);
  multiply_panels(a, packed.panels(), c, s, epilogue);
}

// Returns the values of `x`; an int32 tensor is converted to float32 in `converted`.
const float* as_float(const Tensor& x, Scratch<float>& converted) {
  if (x.dtype() == DType::kFloat32) return x.data<float>();
  converted = Scratch<float>(x.elements() + Storage::kSlack / sizeof(float));
  const auto values = x.values<std::int32_t>();
  std::transform(values.begin(), values.end(), converted.data(),
                 [](std::int32_t v) { return static_cast<float>(v); });
  return converted.data();
}

void multiply_floats(const KernelArgs& args, const MatMulAttrs& attrs, const PackedWeight* packed) {
  MatMulSizes s = get_sizes(args, attrs);
  Scratch<float> converted_a;
  Scratch<float> converted_b;
  const float* a = as_float(args.in[0], converted_a);
  const HalfFloats* halves = packed ? nullptr : HalfFloats::of(args.in[1]);
  const float* b = packed || halves ? nullptr : as_float(args.in[1], converted_b);
  float* c = args.out.mutable_data<float>();
  const ColumnBias bias(args.in, s.columns);
  gemm::Epilogue epilogue = {.bias = bias.values(), .activation = attrs.activation, .alpha = attrs.alpha};
  if (packed) epilogue.scale = packed->scales();
  if (args.in.has(2) && !is_column_bias(args.in[2].shape(), s.columns)) {
    assert(!epilogue.scale);
    broadcast_bias<float>(args.in[2], args.out);
    epilogue = {nullptr, attrs.activation, attrs.alpha, true};
  }
  const auto multiply = [&](std::size_t at_a, std::size_t at_b, std::size_t at_c) {
    const float* from = a + at_a * s.a_elements();
    const std::size_t b_offset = at_b * s.b_elements();
    float* to = c + at_c * s.out_elements();
    if (packed) return multiply_panels(from, packed->panels.panels(), to, s, epilogue);
    if (!halves) return multiply_one(from, b + b_offset, to, s, epilogue);
    multiply_halves(
        from, s.rows, s.transpose_a,
        {halves->stored() + b_offset, s.depth, s.columns, s.transpose_b, halves->has_many_subnormals()}, to,
        epilogue);
  };
  // A batch times one matrix is a single product of all rows.
  if (!s.transpose_a && args.in[1].elements() == s.b_elements()) {
    s.rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(s.columns));
    return multiply(0, 0, 0);
  }
  for_each_product(args, multiply);
}

// Multiplies int32 matrices exactly, where float32 would lose the bits beyond 24. Wraps around as int32
// tensors do.
void multiply_ints(const KernelArgs& args, const MatMulAttrs& attrs) {
  const MatMulSizes s = get_sizes(args, attrs);
  const auto rows = static_cast<std::size_t>(s.rows);
  const auto columns = static_cast<std::size_t>(s.columns);
  const auto depth = static_cast<std::size_t>(s.depth);
  if (args.in.has(2)) {
    broadcast_bias<std::int32_t>(args.in[2], args.out);
  } else {
    std::fill_n(args.out.mutable_data<std::int32_t>(), args.out.elements(), 0);
  }
  for_each_product(args, [&](std::size_t at_a, std::size_t at_b, std::size_t at_c) {
    const std::int32_t* a = args.in[0].data<std::int32_t>() + at_a * s.a_elements();
    const std::int32_t* b = args.in[1].data<std::int32_t>() + at_b * s.b_elements();
    std::int32_t* c = args.out.mutable_data<std::int32_t>() + at_c * s.out_elements();
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < depth; ++k) {
        const auto x = static_cast<std::uint32_t>(a[s.transpose_a ? k * rows + r : r * depth + k]);
        for (std::size_t n = 0; n < columns; ++n) {
          const auto y = static_cast<std::uint32_t>(b[s.transpose_b ? n * depth + k : k * columns + n]);
          c[r * columns + n] =
              static_cast<std::int32_t>(static_cast<std::uint32_t>(c[r * columns + n]) + x * y);
        }
      }
    }
  });
}

}  // namespace

void mat_mul(const KernelArgs& args) {
  const auto attrs = args.attrs.as<MatMulAttrs>();
  if (args.out.dtype() == DType::kInt32) return multiply_ints(args, attrs);
  const Tensor& b = args.in[1];
  // A model's weight may be packed. Only then is code of models called, which may not be loaded.
  if (b.storage()->is_packed() && b.rank() == 2 && !attrs.transpose_a) {
    const gemm::PackedB* panels =
        PackedWeightData::find_panels(b, args.out.shape().back(), attrs.transpose_b != 0);
    if (panels) return mat_mul_packed(args, {*panels, {}});
  }
  multiply_floats(args, attrs, nullptr);
}

PackedWeight pack_mat_mul(const Tensor& b, bool transposed) {
  return PackedWeightData::prepare(b, b.dim(transposed ? 0 : 1), transposed);
}

void mat_mul_packed(const KernelArgs& args, const PackedWeight& b) {
  multiply_floats(args, args.attrs.as<MatMulAttrs>(), &b);
}

}  // namespace tenure::cpu
