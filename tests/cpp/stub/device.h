#pragma once

#include <vector>

#include "core/memory/memory_tracked.h"
#include "core/run/device.h"

/// A device that computes on the CPU, in memory of its own that holds every element as a double. It runs a
/// few ops; the others fall back. It shows what a backend needs, and tests core/ and model/ with a device on
/// every machine.
namespace tenure::stub {

/// Ops of at least so many elements run on the device.
constexpr std::size_t kMinElements = 64;
/// Maximum number of elements of a tensor on the device.
constexpr std::size_t kMaxElements = std::size_t{1} << 20;

class StubDevice final : public Device, public MemoryTracked {
 public:
  StubDevice() : Device({.round_trip = 5, .launch = 0.1, .min_elements = kMinElements}) {}

  /// Starts the device anew. All values on it are lost.
  void start() {
    ++generation_;
    is_started_ = true;
    used_ = 0;
  }
  /// Loses the device, until start().
  void lose() { is_started_ = false; }

  bool is_lost() const override { return !is_started_; }
  unsigned generation() const override { return generation_; }
  bool supports(const TensorSpec& spec) const override;
  DeviceMemoryUsage memory() const override { return {is_lost() ? 0 : used_, 0}; }
  void add_to(MemoryReport& report) const override { report.add_device(memory()); }

 protected:
  std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) override;

 private:
  friend class StubMemory;
  bool is_started_ = false;
  unsigned generation_ = 0;
  std::size_t used_ = 0;
};

/// Returns the only device.
StubDevice& device();

/// A storage's copy on the device.
class StubMemory final : public DeviceMemory {
 public:
  StubMemory(DType dtype, std::size_t elements);
  ~StubMemory() override;
  void download(void* to) override;
  std::size_t bytes() const override { return values_.size() * sizeof(double); }
  bool lost() const override {
    return stub::device().is_lost() || generation_ != stub::device().generation();
  }
  void start_read() override { polls_left_ = kPolls; }
  bool is_read_ready() const override {
    if (polls_left_ > 0) --polls_left_;
    return lost() || polls_left_ == 0;
  }

  DType dtype() const { return dtype_; }
  std::vector<double>& values() { return values_; }
  /// Number of calls of is_read_ready() that a read takes.
  static constexpr int kPolls = 3;

 private:
  DType dtype_;
  unsigned generation_;
  mutable int polls_left_ = 0;
  std::vector<double> values_;
};

/// Returns the tensor's values on the device; uploads them if they are only on the CPU. Throws
/// Error(kContextLost) if they are lost.
const std::vector<double>& get_values(const Tensor& tensor);
/// Makes `values`, rounded to the tensor's type, the only memory of its elements.
void set_values(Tensor& out, std::vector<double> values);

}  // namespace tenure::stub
