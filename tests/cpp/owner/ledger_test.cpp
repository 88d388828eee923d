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

std::int32_t word(std::uint32_t value) { return static_cast<std::int32_t>(value); }

}  // namespace

TEST_CASE("the ledger tells of births, moves and deaths in their order", "[ledger]") {
  const Listener listener;
  Ownership owner;
  const Handle matrix = owner.add(Tensor(TensorSpec{{2, 3}, DType::kInt32}));
  owner.hold(matrix);
  owner.dispose(matrix);
  owner.dispose(matrix);
  CHECK(ledger::words() == 12);
  CHECK(ledger::take() == Words{ledger::kBorn, word(matrix), 0, 1, 2, 2, 3,  //
                                ledger::kMoved, word(matrix), -1,            //
                                ledger::kDied, word(matrix)});
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
  CHECK(ledger::take() == Words{ledger::kOpened, 1, 0,                 //
                                ledger::kOpened, 2, 1,                 //
                                ledger::kBorn, word(inside), 2, 0, 0,  //
                                ledger::kDied, word(inside),           //
                                ledger::kClosed, 2, ledger::kClosed, 1});
}

TEST_CASE("nothing is written down while nobody listens", "[ledger]") {
  Ownership owner;
  owner.dispose(owner.add(Tensor::scalar(1.0F)));
  const Listener listener;
  CHECK(ledger::take().empty());
}

#endif
