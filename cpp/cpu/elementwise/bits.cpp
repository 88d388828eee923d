#include <algorithm>
#include <functional>

#include "cpu/kernels.h"

namespace tenure::cpu {

void bitwise_and(const KernelArgs& args) {
  const auto x = args.in[0].values<std::int32_t>();
  std::transform(x.begin(), x.end(), args.in[1].data<std::int32_t>(), args.out.mutable_data<std::int32_t>(),
                 std::bit_and<>());
}

}  // namespace tenure::cpu
