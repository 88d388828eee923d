#include "core/run/device.h"

#include "core/memory/transfer_stats.h"
#include "core/run/lazy_chain.h"

namespace tenure {

std::unique_ptr<DeviceMemory> Device::upload_and_count(const Tensor& tensor) {
  auto memory = upload(tensor);
  ++transfer_stats().uploads;
  transfer_stats().bytes += tensor.bytes();
  return memory;
}

void Device::move_to_device(Tensor& tensor) { tensor.storage()->move_to(upload_and_count(tensor)); }

DeviceMemory& Device::get_copy(const Tensor& tensor) {
  Storage& storage = *tensor.storage().get();
  if (DeviceMemory* memory = storage.find_copy(*this)) return *memory;
  const ScopedMaterialization materialized;
  storage.set_copy(upload_and_count(tensor));
  return *storage.device();
}

std::unique_ptr<DeviceMemory> Device::defer(std::unique_ptr<LazyChain> /*chain*/) { return nullptr; }

}  // namespace tenure
