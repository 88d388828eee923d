#include "owner/profile.h"

#include <array>

#include "core/clock.h"
#include "owner/ownership.h"

namespace tenure {

void Profile::before() {
  stats_before_ = total_transfer_stats();
  first_dispatch_ = dispatch_count();
  start_ = microseconds();
}

void Profile::after(Op op, const KernelArgs& args, Output output) {
  const double time = microseconds() - start_;
  const TransferStats now = total_transfer_stats();
  const HandleTable& handles = ownership().handles();
  const bool is_new = output == Output::kTensor;
  // The output has no handle yet, so it is added here.
  const std::size_t bytes = is_new ? args.out.bytes() : 0;
  std::array<std::int32_t, kProfileFields> fields{};
  const auto set = [&](ProfileField field, auto value) { fields[field] = static_cast<std::int32_t>(value); };
  set(kOp, op);
  set(kMicroseconds, time);
  set(kBytesAdded, is_new ? static_cast<std::int64_t>(bytes) : -1);
  set(kTensors, handles.size() + (is_new ? 1 : 0));
  set(kTotalBytes, handles.bytes() + bytes);
  set(kUploads, now.uploads - stats_before_.uploads);
  set(kDownloads, now.downloads - stats_before_.downloads);
  set(kBytesCrossed, now.bytes - stats_before_.bytes);
  set(kFallbacks, now.fallbacks - stats_before_.fallbacks);
  set(kFirstDispatch, first_dispatch_);
  set(kDispatches, dispatch_count() - first_dispatch_);
  set(kShapes, args.in.size() + 1);
  entries_.insert(entries_.end(), fields.begin(), fields.end());
  const auto write_shape = [this](const Tensor& tensor) {
    entries_.push_back(tensor.rank());
    entries_.insert(entries_.end(), tensor.shape().begin(), tensor.shape().end());
  };
  for (int i = 0; i < args.in.size(); ++i) {
    args.in.has(i) ? write_shape(args.in[i]) : entries_.push_back(-1);
  }
  write_shape(args.out);
}

const std::vector<std::int32_t>& Profile::take() {
  taken_.swap(entries_);
  entries_.clear();
  return taken_;
}

}  // namespace tenure
