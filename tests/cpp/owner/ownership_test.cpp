#include "owner/ownership.h"

#include <algorithm>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"

using namespace tenure;

namespace {

Tensor scalar() { return Tensor::scalar(1.0F); }

}  // namespace

TEST_CASE("a scope frees what was made inside, and only that") {
  Ownership owner;
  const Handle before = owner.add(scalar());
  const ScopeId scope = owner.open_scope("frame");
  const Handle inside = owner.add(scalar());
  owner.close_scope(scope);
  CHECK(owner.alive(before));
  CHECK_FALSE(owner.alive(inside));
  CHECK(owner.current_scope() == kUnscoped);
}

TEST_CASE("a kept tensor survives every scope around it") {
  Ownership owner;
  const ScopeId outer = owner.open_scope();
  const ScopeId inner = owner.open_scope();
  const Handle kept = owner.add(scalar());
  owner.keep(kept);
  owner.close_scope(inner);
  owner.close_scope(outer);
  CHECK(owner.alive(kept));
}

TEST_CASE("a result goes to the parent, and no further") {
  Ownership owner;
  const ScopeId outer = owner.open_scope();
  const ScopeId inner = owner.open_scope();
  const Handle result = owner.add(scalar());
  owner.move_to_parent(result, inner);
  owner.close_scope(inner);
  REQUIRE(owner.alive(result));
  owner.close_scope(outer);
  CHECK_FALSE(owner.alive(result));
}

TEST_CASE("a scope hands over only what it owns") {
  Ownership owner;
  const ScopeId outer = owner.open_scope();
  const Handle of_outer = owner.add(scalar());
  const ScopeId inner = owner.open_scope();
  owner.move_to_parent(of_outer, inner);
  owner.close_scope(inner);
  CHECK(owner.alive(of_outer));
  owner.close_scope(outer);
  CHECK_FALSE(owner.alive(of_outer));
}

TEST_CASE("closing a scope closes what a throw left open inside") {
  Ownership owner;
  const ScopeId outer = owner.open_scope();
  owner.open_scope();
  const Handle deep = owner.add(scalar());
  owner.move_to_parent(deep, outer);
  owner.open_scope();
  const Handle lost = owner.add(scalar());
  owner.close_scope(outer);
  CHECK(owner.open_scopes() == 0);
  CHECK(owner.current_scope() == kUnscoped);
  CHECK(owner.alive(deep));
  CHECK_FALSE(owner.alive(lost));
}

TEST_CASE("closing a scope twice, or one that never was, changes nothing") {
  Ownership owner;
  const ScopeId scope = owner.open_scope();
  owner.close_scope(scope);
  owner.close_scope(scope);
  owner.close_scope(kUnscoped);
  owner.close_scope(12345);
  CHECK(owner.open_scopes() == 0);
}

TEST_CASE("what a holder has is freed by nobody else") {
  Ownership owner;
  const ScopeId scope = owner.open_scope();
  const Handle variable = owner.add(scalar());
  owner.retain(variable);
  owner.keep(variable);
  owner.close_scope(scope);
  REQUIRE(owner.alive(variable));
  CHECK(owner.handles().get_owner(variable) == kRetained);
  CHECK(owner.dispose(variable));
}

TEST_CASE("a dead handle gives the error that names it so") {
  Ownership owner;
  const Handle handle = owner.add(scalar());
  owner.dispose(handle);
  CHECK_FALSE(owner.dispose(handle));
  try {
    owner.get(handle);
    FAIL("a disposed tensor was handed out");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kDisposed);
    CHECK(std::string(error.what()) == "Tensor is disposed.");
  }
}

TEST_CASE("two scopes that are entered in turns never touch each other's tensors") {
  Ownership owner;
  const ScopeId a = owner.make_scope(0, "a");
  const ScopeId b = owner.make_scope(0, "b");
  CHECK(owner.current_scope() == 0);
  Handle of_a = 0;
  Handle of_b = 0;
  for (int turn = 0; turn < 3; ++turn) {
    ScopeId previous = owner.enter(a);
    of_a = owner.add(scalar());
    owner.leave(previous);
    previous = owner.enter(b);
    of_b = owner.add(scalar());
    owner.leave(previous);
  }
  owner.close_scope(a);
  CHECK_FALSE(owner.alive(of_a));
  CHECK(owner.alive(of_b));
  CHECK(owner.totals(b).tensors == 3);
  CHECK(owner.totals(b).bytes == 12);
}

TEST_CASE("the id of a closed scope is an error, also when its place is in use again") {
  Ownership owner;
  const ScopeId stale = owner.make_scope(0, "stale");
  owner.close_scope(stale);
  for (int i = 0; i < 100; ++i) owner.make_scope(0, "new");
  const Handle handle = owner.add(scalar());
  CHECK_FALSE(owner.is_open(stale));
  CHECK_THROWS_AS(owner.enter(stale), Error);
  CHECK_THROWS_AS(owner.attach(handle, stale), Error);
  CHECK_THROWS_AS(owner.borrow(handle, stale), Error);
  CHECK_THROWS_AS(owner.cap(stale), Error);
  CHECK_THROWS_AS(owner.make_scope(stale, ""), Error);
  CHECK(owner.totals(stale).tensors == 0);
  CHECK(owner.dump(stale).empty());
  owner.leave(stale);
  CHECK(owner.current_scope() == 0);
}

TEST_CASE("a scope that is closed while it is current leaves its place to its parent") {
  Ownership owner;
  const ScopeId outer = owner.make_scope(0, "outer");
  const ScopeId inner = owner.make_scope(outer, "inner");
  owner.enter(inner);
  owner.open_scope("tidy");
  owner.close_scope(inner);
  CHECK(owner.current_scope() == outer);
  CHECK(owner.open_scopes() == 1);
}

TEST_CASE("a borrowed tensor lives until the scope closes, and its owner is the same") {
  Ownership owner;
  const ScopeId lender = owner.make_scope(0, "lender");
  const ScopeId borrower = owner.make_scope(0, "borrower");
  owner.enter(lender);
  const Handle handle = owner.add(scalar());
  owner.leave(0);
  const Handle borrowed = owner.borrow(handle, borrower);
  CHECK(owner.handles().buffers() == 1);
  owner.close_scope(lender);
  CHECK_FALSE(owner.alive(handle));
  REQUIRE(owner.alive(borrowed));
  CHECK(owner.get(borrowed).values<float>()[0] == 1.0F);
  CHECK_THROWS_AS(owner.borrow(handle, borrower), Error);
  owner.close_scope(borrower);
  CHECK(owner.handles().buffers() == 0);
}

TEST_CASE("leaving to a scope that was closed leads to the one around it") {
  Ownership owner;
  const ScopeId around = owner.open_scope("around");
  const ScopeId scope = owner.make_scope(around, "scope");
  const ScopeId first = owner.enter(scope);
  const ScopeId second = owner.enter(scope);
  owner.close_scope(scope);
  for (int i = 0; i < 100; ++i) owner.close_scope(owner.make_scope(0, "other"));
  CHECK(owner.current_scope() == around);
  owner.leave(second);
  CHECK(owner.current_scope() == around);
  owner.close_scope(around);
  owner.leave(first);
  CHECK(owner.current_scope() == 0);
  CHECK(owner.open_scopes() == 0);
}

TEST_CASE("what is borrowed counts as such until it gets another owner") {
  Ownership owner;
  const ScopeId scope = owner.make_scope(0, "scope");
  const ScopeId other = owner.make_scope(0, "other");
  const Handle made = owner.add(scalar());
  const auto owned = [&] {
    int count = 0;
    owner.scan(scope, 1, [&](Handle, const Tensor&) { return ++count > 0; });
    return count;
  };
  const Handle stays = owner.borrow(made, scope);
  const Handle kept = owner.borrow(made, scope);
  const Handle moved = owner.borrow(made, scope);
  const Handle held = owner.borrow(made, scope);
  CHECK(owned() == 0);
  owner.keep(kept);
  owner.attach(moved, other);
  owner.attach(moved, scope);
  CHECK(owned() == 1);
  CHECK(owner.adopt(held, false) == held);
  owner.close_scope(scope);
  CHECK_FALSE(owner.alive(stays));
  CHECK_FALSE(owner.alive(moved));
  CHECK(owner.alive(kept));
  CHECK(owner.alive(held));
}

TEST_CASE("ending a scope spares its children that last") {
  Ownership owner;
  const ScopeId outer = owner.make_scope(0, "outer");
  const ScopeId ending = owner.make_scope(outer, "ending", true);
  const ScopeId plain = owner.make_scope(ending, "plain");
  const ScopeId of_plain_scope = owner.make_scope(plain, "closed with it", true);
  const ScopeId task = owner.make_scope(ending, "task", true);
  const ScopeId inner = owner.make_scope(task, "inner");
  owner.set_current(inner);
  const Handle of_task = owner.add(scalar());
  owner.set_current(plain);
  const Handle of_plain = owner.add(scalar());
  owner.end_scope(ending);
  CHECK(owner.current_scope() == outer);
  CHECK_FALSE(owner.alive(of_plain));
  CHECK_FALSE(owner.is_open(of_plain_scope));
  CHECK(owner.alive(of_task));
  CHECK(owner.dump(outer) ==
        "outer: 0 tensors, 0 bytes\n  task: 0 tensors, 0 bytes\n    inner: 1 tensors, 4 bytes\n");
  owner.close_scope(outer);
  CHECK(owner.open_scopes() == 0);
  CHECK_FALSE(owner.alive(of_task));
}

TEST_CASE("what lasts is opened around the synchronous code at work") {
  Ownership owner;
  const ScopeId session = owner.make_scope(0, "session");
  owner.enter(session);
  CHECK(owner.lasting_scope() == session);
  owner.open_scope();
  owner.enter(owner.make_scope(owner.current_scope(), "in tidy"));
  CHECK(owner.lasting_scope() == session);
  owner.enter(owner.make_scope(0, "elsewhere"));
  CHECK(owner.lasting_scope() == owner.current_scope());
}

TEST_CASE("a hundred thousand scopes, each in the last, are closed and told of one by one") {
  Ownership owner;
  const ScopeId root = owner.make_scope(0, "root");
  ScopeId at = root;
  for (int i = 0; i < 100'000; ++i) {
    at = owner.make_scope(at, "s");
    owner.set_current(at);
    owner.add(scalar());
  }
  const std::string lines = owner.dump(root);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 100'001);
  CHECK(lines.ends_with("(100000 deep) s: 1 tensors, 4 bytes\n"));
  owner.close_scope(root);
  CHECK(owner.current_scope() == 0);
  CHECK(owner.open_scopes() == 0);
  CHECK(owner.handles().size() == 0);
}

TEST_CASE("births are noted while they are watched, and told for those alive") {
  Ownership owner;
  const Handle before = owner.add(scalar());
  owner.log_creations(true);
  const Handle held = owner.add_retained(scalar());
  for (int i = 0; i < 1000; ++i) owner.dispose(owner.add(scalar()));
  const Handle borrowed = owner.borrow(before, owner.make_scope(0, ""));
  CHECK(owner.pop_created() == borrowed);
  CHECK(owner.pop_created() == held);
  CHECK(owner.pop_created() == 0);
  owner.log_creations(false);
  owner.add(scalar());
  CHECK(owner.pop_created() == 0);
}

TEST_CASE("a capped scope takes no more tensors, and lets results pass") {
  Ownership owner;
  const ScopeId model = owner.make_scope(0, "model");
  const Handle outside = owner.add(scalar());
  const ScopeId batch = owner.make_scope(model, "batch");
  owner.cap(model);
  owner.enter(model);
  CHECK_THROWS_AS(owner.add(scalar()), Error);
  CHECK_THROWS_AS(owner.attach(outside, model), Error);
  CHECK_THROWS_AS(owner.borrow(outside, model), Error);
  owner.enter(batch);
  const Handle result = owner.add(scalar());
  CHECK_THROWS_AS(owner.move_to_parent(result, batch), Error);
  owner.move_past_capped(result, batch);
  owner.close_scope(model);
  CHECK(owner.alive(result));
  CHECK(owner.handles().get_owner(result) == kUnscoped);
  CHECK(owner.handles().size() == 2);
}

TEST_CASE("a scope is a tree as text, with what each part owns") {
  Ownership owner;
  const ScopeId frame = owner.make_scope(0, "frame");
  owner.make_scope(frame, "second");
  const ScopeId first = owner.make_scope(frame, "first");
  owner.cap(frame);
  owner.enter(first);
  owner.open_scope();
  owner.add(scalar());
  CHECK(owner.dump(frame) ==
        "frame (capped): 0 tensors, 0 bytes\n"
        "  first: 0 tensors, 0 bytes\n"
        "    scope: 1 tensors, 4 bytes\n"
        "  second: 0 tensors, 0 bytes\n");
  CHECK(owner.totals(frame).tensors == 1);
  CHECK(owner.totals(0).tensors == 1);
}

TEST_CASE("memory returns to where it was after ten thousand scopes") {
  Ownership owner;
  const std::size_t before = allocator_stats().live;
  for (int i = 0; i < 10'000; ++i) {
    const ScopeId scope = owner.open_scope();
    for (int k = 0; k < 5; ++k) owner.add(Tensor(TensorSpec{{64}, DType::kFloat32}));
    owner.close_scope(scope);
  }
  CHECK(owner.handles().size() == 0);
  CHECK(allocator_stats().live == before);
}

TEST_CASE("a holder adopts the tensor itself, and one that is held through a handle of its own") {
  Ownership owner;
  const ScopeId scope = owner.open_scope();
  const Handle made = owner.add(scalar());
  CHECK(owner.adopt(made, false) == made);
  const Handle second = owner.adopt(made, false);
  CHECK(second != made);
  const Handle lent = owner.add(scalar());
  const Handle shared = owner.adopt(lent, true);
  CHECK(shared != lent);
  owner.close_scope(scope);
  CHECK(owner.alive(made));
  CHECK(owner.alive(second));
  CHECK_FALSE(owner.alive(lent));
  CHECK(owner.alive(shared));
  CHECK(owner.handles().buffers() == 2);
  CHECK_THROWS_AS(owner.adopt(lent, false), Error);
}

TEST_CASE("a scan goes on where it stopped, and sees a scope's own alone") {
  Ownership owner;
  owner.add(scalar());
  owner.add_retained(scalar());
  const ScopeId scope = owner.open_scope();
  for (int i = 0; i < 5; ++i) owner.add(scalar());
  const auto count = [&](ScopeId of) {
    int seen = 0;
    std::uint32_t at = 1;
    do {
      int now = 0;
      at = owner.scan(of, at, [&](Handle handle, const Tensor&) {
        if (now == 2) return false;
        CHECK(owner.alive(handle));
        ++now;
        return true;
      });
      seen += now;
    } while (at);
    return seen;
  };
  CHECK(count(scope) == 5);
  CHECK(count(0) == 7);
  owner.close_scope(scope);
  CHECK(count(scope) == 0);
}

TEST_CASE("room that was made is there, and no more than there can be") {
  Ownership owner;
  owner.reserve(1000);
  for (int i = 0; i < 1000; ++i) owner.add(scalar());
  CHECK_THROWS_AS(owner.reserve(std::size_t{1} << 26), Error);
  CHECK(owner.handles().size() == 1000);
}
