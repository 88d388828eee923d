#include "cpu/kernels.h"
#include "cpu/movement/repeat.h"
#include "cpu/simd/convert.h"

namespace tenure::cpu {
namespace {

// Computes each value from its index, in double: adding up the step, as TensorFlow.js does, accumulates
// rounding errors.
template <class T, class Convert>
void write_sequence(T* out, std::int32_t count, double start, double step, Convert convert) {
  for (std::int32_t i = 0; i < count; ++i) out[i] = convert(start + i * step);
}

float to_float32(double x) { return static_cast<float>(x); }

}  // namespace

void fill(const KernelArgs& args) {
  const auto attrs = args.attrs.as<FillAttrs>();
  AnyElement element = 0;
  // A bool may be given as either number, float or int.
  const bool by_value = attrs.dtype == DType::kFloat32 || attrs.dtype == DType::kComplex64 ||
                        (attrs.dtype == DType::kBool && attrs.int_value == 0);
  store_as(attrs.dtype, by_value ? double{attrs.value} : attrs.int_value, &element);
  fill_elements(args.out.mutable_data<std::uint8_t>(), &element, element_size(attrs.dtype),
                args.out.elements());
}

void fill_like(const KernelArgs& args) {
  AnyElement element = 0;
  store_as(args.out.dtype(), args.attrs.as<FillLikeAttrs>().value, &element);
  fill_elements(args.out.mutable_data<std::uint8_t>(), &element, element_size(args.out.dtype()),
                args.out.elements());
}

void range(const KernelArgs& args) {
  const auto attrs = args.attrs.as<RangeAttrs>();
  if (attrs.dtype == DType::kFloat32) {
    write_sequence(args.out.mutable_data<float>(), attrs.count, attrs.start, attrs.step, to_float32);
  } else {
    const double start = double{attrs.start} + attrs.int_start;
    const double step = double{attrs.step} + attrs.int_step;
    write_sequence(args.out.mutable_data<std::int32_t>(), attrs.count, start, step, to_int32);
  }
}

void linspace(const KernelArgs& args) {
  const auto attrs = args.attrs.as<LinspaceAttrs>();
  const double start = attrs.start;
  const double step = attrs.count > 1 ? (attrs.stop - start) / (attrs.count - 1) : 0;
  write_sequence(args.out.mutable_data<float>(), attrs.count, start, step, to_float32);
}

void eye(const KernelArgs& args) {
  const auto attrs = args.attrs.as<EyeAttrs>();
  auto* out = args.out.mutable_data<std::uint8_t>();
  const std::size_t size = element_size(attrs.dtype);
  std::memset(out, 0, args.out.bytes());
  const auto columns = static_cast<std::size_t>(attrs.columns);
  for (std::int32_t i = 0; i < std::min(attrs.rows, attrs.columns); ++i) {
    store_as(attrs.dtype, 1, out + static_cast<std::size_t>(i) * (columns + 1) * size);
  }
}

void diag(const KernelArgs& args) {
  const std::size_t size = element_size(args.out.dtype());
  const std::size_t count = args.in[0].elements();
  const auto* in = args.in[0].data<std::uint8_t>();
  auto* out = args.out.mutable_data<std::uint8_t>();
  std::memset(out, 0, args.out.bytes());
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * (count + 1) * size, in + i * size, size);
}

void one_hot(const KernelArgs& args) {
  const auto attrs = args.attrs.as<OneHotAttrs>();
  const std::size_t size = element_size(attrs.dtype);
  AnyElement on = 0;
  AnyElement off = 0;
  store_as(attrs.dtype, attrs.on_value, &on);
  store_as(attrs.dtype, attrs.off_value, &off);
  auto* row = args.out.mutable_data<std::uint8_t>();
  fill_elements(row, &off, size, args.out.elements());
  // With a size known at compile time, memcpy() is a store.
  const auto write = [&](std::size_t bytes) {
    for (const std::int32_t index : args.in[0].values<std::int32_t>()) {
      if (index >= 0 && index < attrs.depth)
        std::memcpy(row + static_cast<std::size_t>(index) * bytes, &on, bytes);
      row += static_cast<std::size_t>(attrs.depth) * bytes;
    }
  };
  size == sizeof(float) ? write(sizeof(float)) : write(size);
}

}  // namespace tenure::cpu
