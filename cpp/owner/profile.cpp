#include "owner/profile.h"

#include <array>

#include "core/clock.h"
#include "owner/ownership.h"

namespace tenure {

void Profile::before() {
  crossings_ = total_crossings();
  start_ = microseconds();
}

void Profile::after(Op op, const KernelArgs& args, Output output) {
  const double time = microseconds() - start_;
  const Crossings now = total_crossings();
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
  set(kUploads, now.uploads - crossings_.uploads);
  set(kDownloads, now.downloads - crossings_.downloads);
  set(kBytesCrossed, now.bytes - crossings_.bytes);
  set(kFallbacks, now.fallbacks - crossings_.fallbacks);
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
