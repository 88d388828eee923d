#include "stub/device.h"

#include <algorithm>

#include "core/error.h"

namespace tenure::stub {
namespace {

/// Returns the value that an element of this type has. Integers wrap.
double round_to(DType dtype, double value) {
  if (dtype == DType::kBool) return value != 0;
  if (dtype == DType::kFloat32) return static_cast<float>(value);
  return static_cast<std::int32_t>(static_cast<std::int64_t>(value));
}

template <class T>
void copy_from(const std::vector<double>& values, void* to) {
  std::transform(values.begin(), values.end(), static_cast<T*>(to),
                 [](double value) { return static_cast<T>(value); });
}

void check_alive(const DeviceMemory& memory) {
  if (memory.lost()) fail_with(ErrorCode::kContextLost, "the stub device was lost");
}

}  // namespace

StubDevice& device() {
  static StubDevice instance;
  return instance;
}

bool StubDevice::supports(const TensorSpec& spec) const {
  const bool holds = spec.dtype != DType::kString && spec.dtype != DType::kComplex64;
  return !is_lost() && holds && spec.shape.elements() <= kMaxElements;
}

std::unique_ptr<DeviceMemory> StubDevice::upload(const Tensor& tensor) {
  auto memory = std::make_unique<StubMemory>(tensor.dtype(), tensor.elements());
  const auto copy = [&](const auto* from) { std::copy_n(from, tensor.elements(), memory->values().begin()); };
  switch (tensor.dtype()) {
    case DType::kFloat32: copy(tensor.data<float>()); break;
    case DType::kInt32: copy(tensor.data<std::int32_t>()); break;
    default: copy(tensor.data<std::uint8_t>()); break;
  }
  return memory;
}

StubMemory::StubMemory(DType dtype, std::size_t elements)
    : DeviceMemory(stub::device()),
      dtype_(dtype),
      generation_(stub::device().generation()),
      values_(elements) {
  stub::device().used_ += bytes();
}

StubMemory::~StubMemory() {
  if (!lost()) stub::device().used_ -= bytes();
}

void StubMemory::download(void* to) {
  check_alive(*this);
  polls_left_ = 0;
  switch (dtype_) {
    case DType::kFloat32: copy_from<float>(values_, to); break;
    case DType::kInt32: copy_from<std::int32_t>(values_, to); break;
    default: copy_from<std::uint8_t>(values_, to); break;
  }
}

const std::vector<double>& get_values(const Tensor& tensor) {
  DeviceMemory& memory = device().get_copy(tensor);
  check_alive(memory);
  return static_cast<StubMemory&>(memory).values();
}

void set_values(Tensor& out, std::vector<double> values) {
  auto memory = std::make_unique<StubMemory>(out.dtype(), out.elements());
  std::transform(values.begin(), values.end(), memory->values().begin(),
                 [&](double value) { return round_to(out.dtype(), value); });
  out.storage()->move_to(std::move(memory));
}

}  // namespace tenure::stub
