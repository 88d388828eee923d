#include "core/dtype.h"

#include "core/error.h"

namespace tenure {

DType upcast(DType a, DType b) {
  if (a == b) return a;
  check(a != DType::kString && b != DType::kString, "Can not upcast ", get_name(a), " with ", get_name(b));
  constexpr int order[] = {2, 1, 0, -1, 3};
  return order[static_cast<int>(a)] > order[static_cast<int>(b)] ? a : b;
}

}  // namespace tenure
