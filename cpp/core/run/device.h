#pragma once

#include <cstddef>
#include <memory>

#include "core/memory/memory_tracked.h"
#include "core/tensor.h"

namespace tenure {

/// Default of DeviceCosts::min_elements.
constexpr std::size_t kMinElementsForDevice = 4096;

/// Estimated costs of using a device, which decide what is worth sending to it. Times are in microseconds.
/// They only decide cases that are not close.
struct DeviceCosts {
  double round_trip;  ///< an upload, a kernel, and a download that waits for it
  double launch;      ///< the launch of one more kernel
  /// Number of output elements from which an op on values of the CPU runs on the device.
  std::size_t min_elements = kMinElementsForDevice;
  /// True if a synchronous read of the device's memory is possible and fast. If false, work on values that
  /// are only on the device stays there, whatever its size.
  bool has_fast_sync_reads = true;
};

/// A processor with memory of its own, such as a GPU. Storages hold their copies there as DeviceMemory, and
/// the backend's kernels allocate their outputs there.
class Device {
 public:
  explicit Device(const DeviceCosts& costs) : costs_(costs) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  const DeviceCosts& costs() const { return costs_; }
  /// True if nothing can run on the device: it has not been started, or it was lost.
  virtual bool is_lost() const = 0;
  /// Returns a number that changes once the device has lost everything that was made on it.
  virtual unsigned generation() const = 0;
  /// True if the device can hold such a tensor now. False while the device is lost.
  virtual bool supports(const TensorSpec& spec) const = 0;
  /// Uploads the tensor and frees its bytes on the CPU. The device must support its spec, and it must have
  /// elements.
  void move_to_device(Tensor& tensor);
  /// Returns the tensor's copy on the device, which may be lost. Uploads the tensor if it is only elsewhere.
  DeviceMemory& get_copy(const Tensor& tensor);
  /// Returns the bytes that the device's memory takes; nothing while the device is lost.
  virtual DeviceMemoryUsage memory() const = 0;

  /// Makes kernels only start to compile their programs until end_prelink(), so that a driver can compile
  /// many at a time. Returns false if the device's kernels need no compilation.
  virtual bool begin_prelink() { return false; }
  /// Waits for the programs of kernels that were called since begin_prelink().
  virtual void end_prelink() {}

  /// True if elementwise ops on `input` may be deferred until their results are read (core/run/lazy.h): never
  /// on a device without pending results, nor for values that are lost or that a program may write to.
  virtual bool can_read_later(const Tensor& /*input*/) const { return false; }
  /// Returns memory whose bytes are pending on `chain`, all inputs of which can be read later.
  virtual std::unique_ptr<DeviceMemory> defer(std::unique_ptr<LazyChain> chain);

 protected:
  /// Returns a copy of the tensor's bytes in new memory of the device.
  virtual std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) = 0;

 private:
  std::unique_ptr<DeviceMemory> upload_and_count(const Tensor& tensor);

  DeviceCosts costs_;
};

}  // namespace tenure
