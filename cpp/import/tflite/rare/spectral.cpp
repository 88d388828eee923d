// Fourier transforms and complex numbers.

#include <algorithm>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

/// Crops dimension `axis` to `extent`, or pads it with zeros at its end.
Tensor resize_axis(const Tensor& x, int axis, std::int32_t extent) {
  const std::int32_t given = x.dim(axis);
  if (given == extent) return x;
  Dims shape = x.shape();
  shape[axis] = std::min(given, extent);
  Dims begin = x.shape();
  std::fill(begin.begin(), begin.end(), 0);
  if (extent < given) return slice(x, {begin, shape});
  shape[axis] = extent - given;
  return concat({x, fill({.shape = Shape(shape), .dtype = DType::kFloat32})}, {axis});
}

/// Transforms the last two dimensions, cropped or padded to the lengths of input 1.
Tensor real_transform(const Call& call) {
  const Tensor& x = call[0];
  const Dims lengths = call.dims(1);
  check_shape(x.rank() >= 2, "expected a rank of 2 or more, got ", x.shape());
  check_shape(lengths.rank == 2 && lengths[0] > 0 && lengths[1] > 0,
              "expected two lengths of 1 or more, got ", Shape(lengths));
  const int rows = x.rank() - 2;
  Dims swapped = x.shape();
  for (int i = 0; i < x.rank(); ++i) swapped[i] = i;
  std::swap(swapped[rows], swapped[rows + 1]);
  const Tensor columns = transpose(rfft(resize_axis(x, rows, lengths[0]), {lengths[1]}), {swapped});
  return transpose(fft(columns), {swapped});
}

constexpr OpRow kRows[] = {
    {131, {"RFFT2D", real_transform}},
    {133, {"IMAG", Op::imag, 1}},
    {134, {"REAL", Op::real, 1}},
    {135, {"COMPLEX_ABS", Op::complex_abs, 1}},
};

}  // namespace

std::span<const OpRow> spectral_rows() { return kRows; }

}  // namespace tenure::tflite
