#pragma once

#include <memory>

#include "core/run/lazy_chain.h"

/// Lazy evaluation of elementwise ops on many floats, which are bound by memory bandwidth: they are deferred
/// until their result is read. On the CPU these are the cheap ones, on a device all. An op that reads a
/// pending result is appended to its chain, so that both take one pass over memory. A pending result keeps
/// its inputs alive: flush() must be called after handles have released tensors.
namespace tenure::lazy {

/// Interface of a device that keeps pending results.
class PendingOnDevice {
 public:
  PendingOnDevice() = default;
  PendingOnDevice(const PendingOnDevice&) = delete;
  PendingOnDevice& operator=(const PendingOnDevice&) = delete;
  virtual ~PendingOnDevice() = default;
  /// True if `input` may be read later than in sequence with other ops: false for memory that a program
  /// writes to, and for values that are lost.
  virtual bool can_read_later(const Tensor& input) const = 0;
  /// Makes `chain` the source of the bytes of `out`, and the device their location.
  virtual void defer(std::unique_ptr<LazyChain> chain, Tensor& out) const = 0;
  /// Computes the bytes of a storage that are pending. If they are lost with the device, they are not pending
  /// anymore when it throws.
  virtual void compute(Storage& storage) const = 0;
  /// True if the storage's bytes are pending on `chain`.
  virtual bool has_source(const Storage& storage, const LazyChain* chain) const = 0;
};

/// Defers ops of `backend`, too, whose device keeps their results as `device` says.
void defer_on_device(const Backend& backend, const PendingOnDevice& device);

/// True if ops of the backend may be deferred.
bool is_supported(const Backend& backend);

/// Defers an elementwise op on many elements, or runs it fused with the pending chain that it reads. Returns
/// an empty tensor if the op is to run eagerly. `backend` is to compute it, and supports the result and the
/// inputs, all of which must have data.
Tensor evaluate(const Backend& backend, Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);

/// Returns the number of pending results.
std::size_t count();

/// Computes the pending results that read buffers without handles, so that these are freed. A result stays
/// pending if memory is exhausted; one whose device is lost is not pending anymore.
void flush() noexcept;

/// Adds to `report` what the results keep alive that are pending on a device. On the CPU, storages do.
void add_inputs_on_device(MemoryReport& report);

/// Forgets the results that are no longer pending, after a raw call was interrupted.
void repair() noexcept;

}  // namespace tenure::lazy
