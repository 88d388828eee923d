#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/simd/convert.h"

namespace tenure::cpu {
namespace {

struct Truncate {
  // simd::to_int() is undefined natively for values outside int32; comparing first makes all targets agree.
  static simd::I32 apply(simd::F32 x, const NoneAttrs&) {
    constexpr float kLimit = 2147483648.0F;
    const simd::Mask fits = x > simd::F32(-kLimit) && x < simd::F32(kLimit);
    const simd::I32 inside = simd::to_int(simd::select(fits, x, simd::F32(0)));
    const simd::I32 beyond =
        simd::select(x >= simd::F32(kLimit), simd::I32(std::numeric_limits<std::int32_t>::max()),
                     simd::select(x <= simd::F32(-kLimit),
                                  simd::I32(std::numeric_limits<std::int32_t>::min()), simd::I32(0)));
    return simd::select(fits, inside, beyond);
  }
};

struct ToFloat {
  static simd::F32 apply(simd::I32 x, const NoneAttrs&) { return simd::to_float(x); }
};

/// Converts 0 and 1 by way of the bits of 2^23 + x. For to_float() the compiler, which can tell that the
/// lanes are not negative, uses the conversion of unsigned integers, which is eight instructions on x86.
struct BoolToFloat {
  static simd::F32 apply(simd::I32 x, const NoneAttrs&) {
    constexpr float kTwoTo23 = 8388608.0F;
    return simd::from_bits(x.v | simd::bits(simd::F32(kTwoTo23))) - simd::F32(kTwoTo23);
  }
};

struct ToInt {
  static simd::I32 apply(simd::I32 x, const NoneAttrs&) { return x; }
};

struct IsNonzero {
  template <class V>
  static simd::Mask apply(V x, const NoneAttrs&) {
    return x != V(0);
  }
};

template <class F, class In, class Out>
void convert(const KernelArgs& args) {
  static constexpr NoneAttrs kNone;
  run_unary(kUnaryRow<F, In, Out, NoneAttrs>, args.in[0].data<In>(), args.out.mutable_data<Out>(),
            args.out.elements(), &kNone);
}

}  // namespace

void cast(const KernelArgs& args) {
  const DType from = args.in[0].dtype();
  const DType to = args.out.dtype();
  if (from == to) {
    std::memcpy(args.out.mutable_data<std::uint8_t>(), args.in[0].data<std::uint8_t>(), args.out.bytes());
  } else if (to == DType::kComplex64) {
    Tensor number({args.out.shape(), DType::kFloat32});
    Tensor zero({args.out.shape(), DType::kFloat32});
    cast({args.in, {}, number});
    std::memset(zero.mutable_data<float>(), 0, zero.bytes());
    complex({{&number, &zero}, {}, args.out});
  } else if (from == DType::kComplex64) {
    Tensor number({args.out.shape(), DType::kFloat32});
    real({args.in, {}, number});
    cast({{&number}, {}, args.out});
  } else if (to == DType::kFloat32) {
    from == DType::kInt32 ? convert<ToFloat, std::int32_t, float>(args)
                          : convert<BoolToFloat, std::uint8_t, float>(args);
  } else if (to == DType::kInt32) {
    from == DType::kFloat32 ? convert<Truncate, float, std::int32_t>(args)
                            : convert<ToInt, std::uint8_t, std::int32_t>(args);
  } else {
    from == DType::kFloat32 ? convert<IsNonzero, float, std::uint8_t>(args)
                            : convert<IsNonzero, std::int32_t, std::uint8_t>(args);
  }
}

}  // namespace tenure::cpu
