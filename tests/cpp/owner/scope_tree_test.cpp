#include "owner/scope_tree.h"

#include "catch.h"
#include "core/error.h"

using namespace tenure;

TEST_CASE("a walk visits each scope before its children, and no other") {
  ScopeTree tree;
  const OwnerId a = tree.open(kCaller, "a");
  const OwnerId b = tree.open(kCaller, "b");
  const OwnerId b1 = tree.open(b, "b1");
  const OwnerId b2 = tree.open(b, "b2");
  CHECK(tree.after(kCaller, kCaller) == b);
  CHECK(tree.after(b, b) == b2);
  CHECK(tree.after(b2, b) == b1);
  CHECK(tree.after(b1, b) == kCaller);
  CHECK(tree.after(b1, kCaller) == a);
  CHECK(tree.after(a, kCaller) == kCaller);
  CHECK(tree.is_inside(b1, b));
  CHECK_FALSE(tree.is_inside(b1, a));
}

TEST_CASE("a scope leaves the list of its parent's children wherever it stands") {
  ScopeTree tree;
  const OwnerId a = tree.open(kCaller, "a");
  const OwnerId b = tree.open(kCaller, "b");
  const OwnerId c = tree.open(kCaller, "c");
  tree.close(b, kCaller);
  CHECK(tree.after(kCaller, kCaller) == c);
  CHECK(tree.after(c, kCaller) == a);
  tree.close(c, kCaller);
  CHECK(tree.after(kCaller, kCaller) == a);
  tree.close(a, kCaller);
  CHECK(tree.after(kCaller, kCaller) == kCaller);
  CHECK(tree.size() == 0);
}

TEST_CASE("an id that was closed stays stale, however many others come and go") {
  ScopeTree tree;
  const OwnerId slot = tree.open(kCaller, "dead");
  const ScopeId dead = tree.id_of(slot);
  CHECK(tree.find(dead) == slot);
  tree.close(slot, kCaller);
  for (int i = 0; i < 2'500'000; ++i) {
    const OwnerId scope = tree.open(kCaller, {});
    REQUIRE(tree.find(dead) == kCaller);
    tree.close(scope, kCaller);
  }
}

TEST_CASE("more scopes than can be open are an error, and closing one makes room") {
  ScopeTree tree(SlotLimits{.slots = 1000, .resting = 64});
  OwnerId last = kCaller;
  for (int i = 0; i < 999; ++i) last = tree.open(kCaller, {});
  CHECK_THROWS_AS(tree.open(kCaller, {}), Error);
  tree.close(last, kCaller);
  CHECK(tree.open(kCaller, {}) == last);
}

TEST_CASE("a pinned scope that was closed leads to whatever is open around it") {
  ScopeTree tree;
  const OwnerId a = tree.open(kCaller, "a");
  const OwnerId b = tree.open(a, "b");
  const OwnerId c = tree.open(b, "c");
  const ScopeId id = tree.id_of(c);
  tree.pin(c);
  tree.pin(c);
  tree.close(c, b);
  CHECK(tree.find(id) == kCaller);
  CHECK(tree.unpin(id) == b);
  tree.close(c, a);  // as a child of b, which is about to close
  tree.close(b, a);
  CHECK(tree.size() == 1);
  CHECK(tree.unpin(id) == a);
  CHECK(tree.unpin(id) == kCaller);
  CHECK(tree.after(a, a) == kCaller);
  tree.close(a, kCaller);
  CHECK(tree.size() == 0);
}

TEST_CASE("a scope that moves takes those inside with it") {
  ScopeTree tree;
  const OwnerId a = tree.open(kCaller, "a");
  const OwnerId b = tree.open(a, "b");
  const OwnerId c = tree.open(b, "c");
  tree.move(b, kCaller);
  CHECK_FALSE(tree.is_inside(c, a));
  CHECK(tree.is_inside(c, b));
  CHECK(tree.after(b, kCaller) == c);
  CHECK(tree.after(c, kCaller) == a);
}

TEST_CASE("a tree that is rebuilt keeps its scopes, and removes those whose parent is gone") {
  ScopeTree tree;
  const OwnerId outer = tree.open(kCaller, "outer");
  const OwnerId inner = tree.open(outer, "inner");
  const OwnerId lost = tree.open(kCaller, "lost");
  const OwnerId orphan = tree.open(lost, "orphan");
  const OwnerId last = tree.open(orphan, "last");
  const ScopeId kept = tree.id_of(inner);
  const ScopeId gone = tree.id_of(last);
  // As a change leaves it that ends in the middle.
  tree[lost].alive = false;
  tree[outer].first_child = 0;

  tree.rebuild();
  CHECK(tree.size() == 2);
  CHECK(tree.find(kept) == inner);
  CHECK(tree.find(gone) == kCaller);
  CHECK_FALSE(tree.exists(orphan));
  CHECK(tree.after(kCaller, kCaller) == outer);
  CHECK(tree.after(outer, kCaller) == inner);
  CHECK(tree.after(inner, kCaller) == kCaller);
  tree.close(inner, outer);
  tree.close(outer, kCaller);
  CHECK(tree.size() == 0);
}
