#include "owner/ownership.h"

#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"

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
  CHECK(owner.current_scope() == kCaller);
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
  owner.hand_to_parent(result, inner);
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
  owner.hand_to_parent(of_outer, inner);
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
  owner.hand_to_parent(deep, outer);
  owner.open_scope();
  const Handle lost = owner.add(scalar());
  owner.close_scope(outer);
  CHECK(owner.open_scopes() == 0);
  CHECK(owner.current_scope() == kCaller);
  CHECK(owner.alive(deep));
  CHECK_FALSE(owner.alive(lost));
}

TEST_CASE("closing a scope twice, or one that never was, changes nothing") {
  Ownership owner;
  const ScopeId scope = owner.open_scope();
  owner.close_scope(scope);
  owner.close_scope(scope);
  owner.close_scope(kCaller);
  owner.close_scope(12345);
  CHECK(owner.open_scopes() == 0);
}

TEST_CASE("what a holder has is freed by nobody else") {
  Ownership owner;
  const ScopeId scope = owner.open_scope();
  const Handle variable = owner.add(scalar());
  owner.hold(variable);
  owner.keep(variable);
  owner.close_scope(scope);
  REQUIRE(owner.alive(variable));
  CHECK(owner.handles().owner_of(variable) == kHolder);
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
