#include "cpu/simd/simd_half.h"

namespace tenure::simd {

const HalfConstants kHalf;

}  // namespace tenure::simd
