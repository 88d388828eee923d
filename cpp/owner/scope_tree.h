#pragma once

#include <string>
#include <string_view>

#include "owner/handle_table.h"

namespace tenure {

/// JavaScript's reference to a scope. 0 is no scope: kUnscoped.
using ScopeId = Id;

/// The tree of open scopes. A scope's slot is its OwnerId in the handle table.
class ScopeTree {
 public:
  struct Scope {
    std::string name;
    OwnerId parent = kUnscoped;
    OwnerId first_child = 0;
    OwnerId previous = 0;
    OwnerId next = 0;
    std::uint32_t generation = 0;
    /// Larger than the rank of every scope around it. Never changes.
    std::uint32_t rank = 0;
    /// Number of users that will return to it, or to the first open scope around it.
    std::uint32_t pins = 0;
    bool alive = false;
    /// True if it is closed, and in the tree only because it is pinned.
    bool closed = false;
    bool capped = false;
    /// True if it is closed at the end of the synchronous code that opened it.
    bool sync_only = false;
    /// True if it moves to its parent's parent when end_scope() closes the parent.
    bool detachable = false;
    /// True if what it owns waits in a data pipeline for its consumer. Inherited by scopes opened inside.
    bool in_pipeline = false;
  };

  explicit ScopeTree(SlotLimits limits = {.quarantine = 64}) : scopes_(limits) {}

  /// Opens a child of an open scope, or of kUnscoped. Throws Error(kOutOfMemory) beyond 2^26 open scopes.
  OwnerId open(OwnerId parent, std::string_view name);
  /// Closes a scope without children. A pinned one stays in the tree, as a closed child of `heir`.
  void close(OwnerId scope, OwnerId heir);
  /// Makes a scope, with all inside, the child of `parent`, which must be around it.
  void move(OwnerId scope, OwnerId parent);
  /// Pins an open scope: until as many calls of unpin(), its id resolves to it or, once it is closed, to its
  /// heir.
  void pin(OwnerId scope);
  /// Returns the scope that was pinned or, if it is closed, the first open one around it; kUnscoped for 0.
  OwnerId unpin(ScopeId id);
  /// Returns the slot of an open scope; kUnscoped for a stale id and for 0.
  OwnerId find(ScopeId id) const {
    const OwnerId slot = scopes_.find(id);
    return scopes_[slot].closed ? kUnscoped : slot;
  }
  ScopeId get_id(OwnerId scope) const { return scope == kUnscoped ? 0 : scopes_.get_id(scope); }
  /// True for kUnscoped, and for the slot of a scope in the tree.
  bool exists(OwnerId scope) const { return scope == kUnscoped || scopes_[scope].alive; }
  /// Rebuilds the lists of children and the counts, after a change of the tree was interrupted. Removes
  /// scopes whose parent is gone.
  void rebuild();
  /// True if `inner` is `scope` or inside it.
  bool is_inside(OwnerId inner, OwnerId scope) const;
  /// Returns the scope after `at` in a preorder walk of `root`; kUnscoped at the end.
  OwnerId after(OwnerId at, OwnerId root) const;
  Scope& operator[](OwnerId scope) { return scopes_[scope]; }
  const Scope& operator[](OwnerId scope) const { return scopes_[scope]; }
  /// Returns the number of open scopes.
  std::size_t size() const { return scopes_.size() - closed_; }

 private:
  void link(OwnerId scope, OwnerId parent);
  void unlink(OwnerId scope);

  SlotTable<Scope> scopes_;  // slot 0 is kUnscoped, the root
  std::size_t closed_ = 0;   // number of closed scopes in the table
  OwnerId opening_ = 0;      // slot of an open() that has not returned
};

}  // namespace tenure
