#include "cpu/threads/sharing_history.h"

#include <algorithm>

namespace tenure::threads {
namespace {

/// The time that a loop takes in all before its slower way is tried, which doubles after each trial.
constexpr double kMinIntervalUs = 20'000;
constexpr double kMaxIntervalUs = 640'000;
/// The length of a trial. Linux leaves a woken worker on the core of the thread that woke it until two ticks
/// of its scheduler have found the other core idle.
constexpr double kTrialUs = 10'000;
/// The weight of the last run in a mean, and how many times the mean it counts at most: a run that the system
/// interrupts takes a millisecond.
constexpr double kWeight = 0.25;
constexpr double kMaxOutlier = 2;

}  // namespace

void SharingHistory::Entry::record(bool was_shared, double microseconds) {
  double& mean = was_shared ? shared_us_ : alone_us_;
  const bool was_trial = is_trial();
  spent_us_ += microseconds;
  if (!was_trial) {
    const double counted = std::min(microseconds, kMaxOutlier * mean);
    mean = mean == 0 ? microseconds : mean + kWeight * (counted - mean);
    return;
  }
  trial_us_ = trial_us_ == 0 ? microseconds : std::min(trial_us_, microseconds);
  if (spent_us_ < interval_us_ + kTrialUs) return;
  mean = trial_us_;
  trial_us_ = 0;
  spent_us_ = 0;
  interval_us_ = std::min(interval_us_ * 2, kMaxIntervalUs);
}

SharingHistory::Entry& SharingHistory::find(const Key& key) {
  Entry& entry = entries_[(key.body * 31 + key.count * 7 + key.grain) % kEntries];
  if (entry.key_ == key) return entry;
  entry = Entry();
  entry.key_ = key;
  entry.interval_us_ = kMinIntervalUs;
  return entry;
}

}  // namespace tenure::threads
