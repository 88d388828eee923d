#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenure::threads {

/// The measured times of parallel loops with and without workers. Whether sharing a loop pays off depends on
/// the state of the machine (a busy second core, a scheduler that leaves a worker on the caller's core), so
/// it is measured instead of predicted: the faster way is taken, and the slower one is tried again at growing
/// intervals.
class SharingHistory {
 public:
  /// A loop, identified by its body, its length and its grain. Two loops that fall on one entry replace each
  /// other.
  struct Key {
    std::uintptr_t body = 0;
    std::size_t count = 0;
    std::size_t grain = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  class Entry {
   public:
    /// Returns true if the next run should be shared.
    bool should_share() const { return is_trial() != prefers_sharing(); }
    /// Records how long a run took.
    void record(bool was_shared, double microseconds);

   private:
    friend class SharingHistory;
    bool prefers_sharing() const { return alone_us_ == 0 || shared_us_ <= alone_us_; }
    bool is_trial() const { return spent_us_ >= interval_us_; }

    Key key_;
    double alone_us_ = 0;  ///< means; 0 before the first run
    double shared_us_ = 0;
    double spent_us_ = 0;  ///< in the loop since the last trial began
    double interval_us_ = 0;
    double trial_us_ = 0;  ///< the shortest run of the trial
  };

  Entry& find(const Key& key);

 private:
  static constexpr std::size_t kEntries = 64;
  std::array<Entry, kEntries> entries_;
};

}  // namespace tenure::threads
