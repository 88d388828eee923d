#include "cpu/threads/sharing_history.h"

#include "catch.h"

using tenure::threads::SharingHistory;

namespace {

constexpr SharingHistory::Key kKey{1, 2, 3};

/// Runs a loop so often on a machine where it takes these times; returns how many runs were shared.
int run(SharingHistory& history, int runs, double alone_us, double shared_us) {
  int shared = 0;
  for (int i = 0; i < runs; ++i) {
    SharingHistory::Entry& entry = history.find(kKey);
    const bool is_shared = entry.should_share();
    shared += is_shared ? 1 : 0;
    entry.record(is_shared, is_shared ? shared_us : alone_us);
  }
  return shared;
}

}  // namespace

TEST_CASE("a loop is shared where that is faster, and tried alone now and then", "[threads]") {
  SharingHistory history;
  const int shared = run(history, 10'000, 400, 200);
  CHECK(shared > 9'500);
  CHECK(shared < 10'000);
}

TEST_CASE("a loop that workers hold up runs alone after 20 ms", "[threads]") {
  SharingHistory history;
  CHECK(run(history, 21, 400, 1000) >= 20);
  CHECK(run(history, 10'000, 400, 1000) < 500);
}

TEST_CASE("the choice follows the machine, and not a single slow run", "[threads]") {
  SharingHistory history;
  run(history, 2'000, 400, 200);
  SharingHistory::Entry& entry = history.find(kKey);
  while (!entry.should_share()) entry.record(false, 400);
  entry.record(true, 5'000);
  CHECK(entry.should_share());
  // Another program takes the other core, and leaves it again.
  run(history, 2'000, 400, 1'000);
  CHECK(run(history, 1'000, 400, 1'000) < 100);
  run(history, 2'000, 400, 200);
  CHECK(run(history, 1'000, 400, 200) > 900);
}

TEST_CASE("loops of other bodies, lengths or grains are measured apart", "[threads]") {
  SharingHistory history;
  run(history, 2'000, 400, 1'000);
  CHECK_FALSE(history.find(kKey).should_share());
  for (const SharingHistory::Key key : {SharingHistory::Key{4, 2, 3}, {1, 5, 3}, {1, 2, 6}})
    CHECK(history.find(key).should_share());
}
