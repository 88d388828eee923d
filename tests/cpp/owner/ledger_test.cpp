#include "owner/ledger.h"

#include "catch.h"
#include "owner/ownership.h"

#if TENURE_DEBUG

using namespace tenure;

namespace {

using Words = std::vector<std::int32_t>;

/// Listens for the length of a test.
class Listener {
 public:
  Listener() { ledger::listen(true); }
  ~Listener() { ledger::listen(false); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
};

std::int32_t low(Handle handle) { return static_cast<std::int32_t>(handle); }
std::int32_t high(Handle handle) { return static_cast<std::int32_t>(handle >> 32); }

}  // namespace

TEST_CASE("the ledger tells of births, moves and deaths in their order", "[ledger]") {
  const Listener listener;
  Ownership owner;
  const Handle matrix = owner.add(Tensor(TensorSpec{{2, 3}, DType::kInt32}));
  owner.retain(matrix);
  owner.dispose(matrix);
  owner.dispose(matrix);
  CHECK(ledger::words() == 15);
  CHECK(ledger::take() == Words{ledger::kBorn, low(matrix), high(matrix), 0, 1, 2, 2, 3,  //
                                ledger::kMoved, low(matrix), high(matrix), -1,            //
                                ledger::kDied, low(matrix), high(matrix)});
  CHECK(ledger::words() == 0);
  CHECK(ledger::take().empty());
}

TEST_CASE("the ledger tells of scopes, and of what dies with them", "[ledger]") {
  const Listener listener;
  Ownership owner;
  const ScopeId outer = owner.open_scope();
  owner.open_scope();
  const Handle inside = owner.add(Tensor::scalar(1.0F));
  owner.close_scope(outer);
  CHECK(ledger::take() == Words{ledger::kOpened, 1, 0,                              //
                                ledger::kOpened, 2, 1,                              //
                                ledger::kBorn, low(inside), high(inside), 2, 0, 0,  //
                                ledger::kDied, low(inside), high(inside),           //
                                ledger::kClosed, 2, ledger::kClosed, 1});
}

TEST_CASE("nothing is written down while nobody listens", "[ledger]") {
  Ownership owner;
  owner.dispose(owner.add(Tensor::scalar(1.0F)));
  const Listener listener;
  CHECK(ledger::take().empty());
}

#endif
