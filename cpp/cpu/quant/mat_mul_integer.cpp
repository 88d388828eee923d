#include <algorithm>
#include <optional>

#include "cpu/kernels.h"
#include "cpu/quant/integer_rows.h"
#include "cpu/quant/packed_integers_kernel.h"
#include "cpu/quant/prepare.h"
#include "shape_util/mat_mul.h"

namespace tenure::cpu {
namespace {

/// Returns the index of a matrix in a tensor of shape `shape`, whose batch broadcasts to that of `out`.
std::size_t matrix_index(const Shape& shape, const Shape& out, std::size_t index) {
  std::size_t from = 0;
  std::size_t stride = 1;
  for (int i = 0; i < shape.rank; ++i) {
    const auto extent = static_cast<std::size_t>(out.back(i));
    if (shape.back(i) != 1) from += index % extent * stride;
    stride *= static_cast<std::size_t>(shape.back(i));
    index /= extent;
  }
  return from;
}

bool is_zero(const Tensor& zero_points) {
  const auto values = zero_points.values<std::int32_t>();
  return std::all_of(values.begin(), values.end(), [](std::int32_t value) { return value == 0; });
}

/// The zero points of a product's columns. They have no data if they are all 0.
class ColumnZeros {
 public:
  ColumnZeros(Inputs in, int input, int columns) {
    if (in.has(input) && !is_zero(in[input])) values_.emplace(in[input], columns);
  }
  /// Lets an epilogue subtract them.
  void add_to(IntegerEpilogue& epilogue, const QuantizedRows& rows) const {
    if (!values_) return;
    epilogue.row_sums = rows.sums();
    epilogue.column_zeros = values_->data();
  }

 private:
  std::optional<ColumnValues<std::int32_t>> values_;
};

/// Computes a product of int32 matrices with the panels of a single right-hand matrix, or with those of the
/// op's second input.
void multiply(const KernelArgs& args, const IntegerPanels* prepared) {
  const Tensor& a = args.in[0];
  const Tensor& b = args.in[1];
  Shape batch_a = get_batch_dims(a.shape());
  Shape batch_b = get_batch_dims(b.shape());
  Shape batch = get_batch_dims(args.out.shape());
  int rows = args.out.shape().back(1);
  const int columns = args.out.shape().back();
  // A batch times one matrix is a single product of all rows.
  if (batch_b.elements() == 1) {
    rows *= static_cast<int>(batch.elements());
    batch = batch_a = batch_b = Shape{};
  }
  const ColumnZeros zeros(args.in, 3, columns);
  const std::int32_t* a_zeros = args.in.has(2) ? args.in[2].data<std::int32_t>() : nullptr;
  const std::size_t zero_stride = a_zeros && args.in[2].elements() > 1 ? 1 : 0;
  const std::size_t a_size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(a.shape().back());
  const std::size_t out_size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < batch.elements(); ++i) {
    std::optional<PanelsOfMatrix> packed;
    const IntegerPanels& panels =
        prepared ? *prepared
                 : packed.emplace(b, a.shape().back(), columns, matrix_index(batch_b, batch, i)).panels();
    QuantizedRows left(rows, panels);
    left.fill(a.data<std::int32_t>() + matrix_index(batch_a, batch, i) * a_size, a_zeros, zero_stride);
    IntegerEpilogue epilogue;
    zeros.add_to(epilogue, left);
    multiply_integers(left.rows(), panels, epilogue, out + i * out_size);
  }
}

/// Quantizes the first input, and multiplies it by the panels, or by those of the second input.
void multiply_dynamically(const KernelArgs& args, const IntegerPanels* prepared) {
  const Tensor& a = args.in[0];
  const int columns = args.out.shape().back();
  const auto rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(columns));
  std::optional<PanelsOfMatrix> packed;
  const IntegerPanels& panels =
      prepared ? *prepared : packed.emplace(args.in[1], a.shape().back(), columns).panels();
  QuantizedRows left(rows, panels);
  const DynamicRange range = find_range(a.data<float>(), a.elements());
  left.fill(a.data<float>(), range);
  const ColumnValues<float> b_scales(args.in[2], columns);
  Scratch<float> scales(static_cast<std::size_t>(columns) + Storage::kSlack / sizeof(float));
  for (int c = 0; c < columns; ++c) scales.data()[c] = range.scale * b_scales.data()[c];
  const ColumnZeros zeros(args.in, 3, columns);
  std::optional<ColumnValues<float>> bias;
  if (args.in.has(4)) bias.emplace(args.in[4], columns);
  IntegerEpilogue epilogue{.column_scales = scales.data(), .bias = bias ? bias->data() : nullptr};
  zeros.add_to(epilogue, left);
  multiply_integers(left.rows(), panels, epilogue, args.out.mutable_data<float>());
}

}  // namespace

void mat_mul_integer(const KernelArgs& args) { multiply(args, nullptr); }
void dynamic_quantize_mat_mul(const KernelArgs& args) { multiply_dynamically(args, nullptr); }

}  // namespace tenure::cpu

namespace tenure {

std::unique_ptr<PreparedKernel> prepare_integer_kernel(Op op, Inputs in, AttrsView attrs,
                                                       const ByteKernels& bytes) {
  if (op == Op::conv2d_integer) return cpu::prepare_integer_filter(in, attrs.as<IntegerConvAttrs>(), bytes);
  if (in[1].rank() != 2) return nullptr;
  return cpu::prepare_integers(op == Op::mat_mul_integer ? cpu::multiply : cpu::multiply_dynamically, in[1],
                               in[1].dim(1));
}

}  // namespace tenure
