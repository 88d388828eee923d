#include "owner/scope_tree.h"

#include "catch.h"
#include "core/error.h"

using namespace tenure;

TEST_CASE("a walk visits each scope before its children, and no other") {
  ScopeTree tree;
  const OwnerId a = tree.open(kUnscoped, "a");
  const OwnerId b = tree.open(kUnscoped, "b");
  const OwnerId b1 = tree.open(b, "b1");
  const OwnerId b2 = tree.open(b, "b2");
  CHECK(tree.after(kUnscoped, kUnscoped) == b);
  CHECK(tree.after(b, b) == b2);
  CHECK(tree.after(b2, b) == b1);
  CHECK(tree.after(b1, b) == kUnscoped);
  CHECK(tree.after(b1, kUnscoped) == a);
  CHECK(tree.after(a, kUnscoped) == kUnscoped);
  CHECK(tree.is_inside(b1, b));
  CHECK_FALSE(tree.is_inside(b1, a));
}

TEST_CASE("a scope leaves the list of its parent's children wherever it stands") {
  ScopeTree tree;
  const OwnerId a = tree.open(kUnscoped, "a");
  const OwnerId b = tree.open(kUnscoped, "b");
  const OwnerId c = tree.open(kUnscoped, "c");
  tree.close(b, kUnscoped);
  CHECK(tree.after(kUnscoped, kUnscoped) == c);
  CHECK(tree.after(c, kUnscoped) == a);
  tree.close(c, kUnscoped);
  CHECK(tree.after(kUnscoped, kUnscoped) == a);
  tree.close(a, kUnscoped);
  CHECK(tree.after(kUnscoped, kUnscoped) == kUnscoped);
  CHECK(tree.size() == 0);
}

TEST_CASE("an id that was closed stays stale, however many others come and go") {
  ScopeTree tree;
  const OwnerId slot = tree.open(kUnscoped, "dead");
  const ScopeId dead = tree.get_id(slot);
  CHECK(tree.find(dead) == slot);
  tree.close(slot, kUnscoped);
  for (int i = 0; i < 2'500'000; ++i) {
    const OwnerId scope = tree.open(kUnscoped, {});
    REQUIRE(tree.find(dead) == kUnscoped);
    tree.close(scope, kUnscoped);
  }
}

TEST_CASE("more scopes than can be open are an error, and closing one makes room") {
  ScopeTree tree(SlotLimits{.slots = 1000, .quarantine = 64});
  OwnerId last = kUnscoped;
  for (int i = 0; i < 999; ++i) last = tree.open(kUnscoped, {});
  CHECK_THROWS_AS(tree.open(kUnscoped, {}), Error);
  tree.close(last, kUnscoped);
  CHECK(tree.open(kUnscoped, {}) == last);
}

TEST_CASE("a pinned scope that was closed leads to whatever is open around it") {
  ScopeTree tree;
  const OwnerId a = tree.open(kUnscoped, "a");
  const OwnerId b = tree.open(a, "b");
  const OwnerId c = tree.open(b, "c");
  const ScopeId id = tree.get_id(c);
  tree.pin(c);
  tree.pin(c);
  tree.close(c, b);
  CHECK(tree.find(id) == kUnscoped);
  CHECK(tree.unpin(id) == b);
  tree.close(c, a);  // as a child of b, which is about to close
  tree.close(b, a);
  CHECK(tree.size() == 1);
  CHECK(tree.unpin(id) == a);
  CHECK(tree.unpin(id) == kUnscoped);
  CHECK(tree.after(a, a) == kUnscoped);
  tree.close(a, kUnscoped);
  CHECK(tree.size() == 0);
}

TEST_CASE("a scope that moves takes those inside with it") {
  ScopeTree tree;
  const OwnerId a = tree.open(kUnscoped, "a");
  const OwnerId b = tree.open(a, "b");
  const OwnerId c = tree.open(b, "c");
  tree.move(b, kUnscoped);
  CHECK_FALSE(tree.is_inside(c, a));
  CHECK(tree.is_inside(c, b));
  CHECK(tree.after(b, kUnscoped) == c);
  CHECK(tree.after(c, kUnscoped) == a);
}

TEST_CASE("a tree that is rebuilt keeps its scopes, and removes those whose parent is gone") {
  ScopeTree tree;
  const OwnerId outer = tree.open(kUnscoped, "outer");
  const OwnerId inner = tree.open(outer, "inner");
  const OwnerId lost = tree.open(kUnscoped, "lost");
  const OwnerId orphan = tree.open(lost, "orphan");
  const OwnerId last = tree.open(orphan, "last");
  const ScopeId kept = tree.get_id(inner);
  const ScopeId gone = tree.get_id(last);
  // As a change leaves it that ends in the middle.
  tree[lost].alive = false;
  tree[outer].first_child = 0;

  tree.rebuild();
  CHECK(tree.size() == 2);
  CHECK(tree.find(kept) == inner);
  CHECK(tree.find(gone) == kUnscoped);
  CHECK_FALSE(tree.exists(orphan));
  CHECK(tree.after(kUnscoped, kUnscoped) == outer);
  CHECK(tree.after(outer, kUnscoped) == inner);
  CHECK(tree.after(inner, kUnscoped) == kUnscoped);
  tree.close(inner, outer);
  tree.close(outer, kUnscoped);
  CHECK(tree.size() == 0);
}
