#include "owner/profile.h"

#include <ctime>

#include "owner/ownership.h"

namespace tenure {
namespace {

double microseconds() {
  // Not std::chrono: its clocks may throw, and the download would carry what that drags along.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace

void Profile::before() {
  crossings_ = total_crossings();
  start_ = microseconds();
}

void Profile::after(Op op, const KernelArgs& args, Output output) {
  const double time = microseconds() - start_;
  const Crossings now = total_crossings();
  const HandleTable& handles = ownership().handles();
  const bool is_new = output == Output::kTensor;
  // The output has no handle yet.
  const std::size_t bytes = is_new ? args.out.bytes() : 0;
  const auto write = [this](auto value) { entries_.push_back(static_cast<std::int32_t>(value)); };
  const auto write_shape = [&](const Tensor& tensor) {
    write(tensor.rank());
    entries_.insert(entries_.end(), tensor.shape().begin(), tensor.shape().end());
  };
  write(op);
  write(time);
  write(is_new ? static_cast<std::int64_t>(bytes) : -1);
  write(handles.size() + (is_new ? 1 : 0));
  write(handles.bytes() + bytes);
  write(now.uploads - crossings_.uploads);
  write(now.downloads - crossings_.downloads);
  write(now.bytes - crossings_.bytes);
  write(now.fallbacks - crossings_.fallbacks);
  write(args.in.size() + 1);
  for (int i = 0; i < args.in.size(); ++i) {
    args.in.has(i) ? write_shape(args.in[i]) : write(-1);
  }
  write_shape(args.out);
}

const std::vector<std::int32_t>& Profile::take() {
  taken_.swap(entries_);
  entries_.clear();
  return taken_;
}

}  // namespace tenure
