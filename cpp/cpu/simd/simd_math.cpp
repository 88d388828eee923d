#include "cpu/simd/simd_math.h"

#include "cpu/simd/simd_power.h"

namespace tenure::simd {

const F32 kSignBits = -0.0F;
const ExpConstants kExp;
const Exp2Constants kExp2;
const LogConstants kLog;
const TanhConstants kTanh;
const ErfConstants kErf;
const PowConstants kPow;

F32 exp_full_range(F32 x) { return exp(x); }

F32 expm1_full_range(F32 x) { return select(x >= F32(80.0F), exp(x), expm1_below_80(min(x, F32(80.0F)))); }

F32 sigmoid_full_range(F32 x) {
  // The exponent is never positive, so exp() cannot overflow, and its error is small in the sum.
  const F32 away = negative_abs(x);
  const F32 e = exp(away);
  const F32 full_range = select(x < kExp.zero, e, kExp.one) / (e + kExp.one);
  return select(away >= kExp.min_normal, sigmoid_moderate(x), full_range);
}

F32 log_full_range(F32 x) {
  const Mask subnormal = x < kLog.least;
  F32 y = log_normal_range(x, F32(0));
  y = select(subnormal, log_normal_range(x * 8388608.0F, F32(-23)), y);
  y = select(x == F32(kInfinity), x, y);
  y = select(x == F32(0), F32(-kInfinity), y);
  return select(x >= F32(0), y, F32(std::numeric_limits<float>::quiet_NaN()));
}

}  // namespace tenure::simd
