#include "cpu/simd_math.h"

namespace tenure::simd {

const ExpConstants kExp;

}  // namespace tenure::simd
