#include "cpu/quant/integer_images.h"

namespace tenure::cpu {
namespace {

/// Maximum distance that bytes hold.
constexpr std::int64_t kMaxByte = 255;

IntegerRange find_range(const Tensor& x) {
  return x.dtype() == DType::kInt32 ? find_integer_range(x.data<std::int32_t>(), x.elements())
                                    : find_integer_range(x.data<float>(), x.elements());
}

}  // namespace

std::optional<std::int32_t> find_byte_low(const Tensor& x) {
  if (holds_bytes(x)) return get_byte_low(x);
  const IntegerRange range = find_range(x);
  if (std::int64_t{range.high} - range.low > kMaxByte) return {};
  return range.low;
}

ByteConvEpilogue::ByteConvEpilogue(const KernelArgs& args, const IntegerConvAttrs& attrs,
                                   const std::int32_t* column_sums, int columns, std::int32_t low)
    : epilogue_{.low = attrs.low, .high = attrs.high, .stores_bytes = holds_bytes(args.out)},
      columns_(columns),
      element_size_(epilogue_.stores_bytes ? 1 : sizeof(float)),
      out_(args.out.mutable_data<std::byte>()) {
  if (epilogue_.stores_bytes) set_byte_low(args.out, static_cast<std::int32_t>(attrs.low));
  const auto count = static_cast<std::size_t>(columns);
  const std::size_t padded = (count + kIntegerNR - 1) / kIntegerNR * kIntegerNR;
  bias_ = Scratch<std::int32_t>(padded);
  std::fill_n(bias_.data(), padded, 0);
  const bool has_bias = args.in.has(2);
  const std::int32_t* bias = has_bias ? args.in[2].data<std::int32_t>() : nullptr;
  const bool is_shared = has_bias && args.in[2].elements() == 1;
  for (std::size_t c = 0; c < count; c += simd::kLanes) {
    const simd::I32 own = !has_bias ? simd::I32(0) : is_shared ? simd::I32(*bias) : simd::I32::load(bias + c);
    (own + simd::I32(low) * simd::I32::load(column_sums + c)).store(bias_.data() + c);
  }
  epilogue_.bias = bias_.data();
  if (!args.in.has(3)) return;
  epilogue_.scales = args.in[3].data<float>();
  const bool is_whole = args.in[3].elements() == count && padded == count;
  if (is_whole) return;
  scales_ = Scratch<float>(padded);
  std::fill_n(scales_.data(), padded, *epilogue_.scales);
  if (args.in[3].elements() == count) std::copy_n(epilogue_.scales, count, scales_.data());
  epilogue_.scales = scales_.data();
}

}  // namespace tenure::cpu
