#pragma once

#include <string>
#include <string_view>

#include "owner/handle_table.h"

namespace tenure {

/// What names a scope outside. 0 is no scope: the caller.
using ScopeId = Id;

/// The open scopes, each with its parent and its children. A scope's slot is its OwnerId in the handle table.
class ScopeTree {
 public:
  struct Scope {
    std::string name;
    OwnerId parent = kCaller;
    OwnerId first_child = 0;
    OwnerId previous = 0;
    OwnerId next = 0;
    std::uint32_t generation = 0;
    /// Grows from each scope to those inside, and never changes.
    std::uint32_t rank = 0;
    /// How many hold on to it, to come back to it or to what is then around it.
    std::uint32_t pins = 0;
    bool alive = false;
    /// Kept only for those who pinned it.
    bool closed = false;
    bool capped = false;
    /// Closed at the end of the synchronous code that opened it.
    bool brief = false;
    /// Goes to the scope around its parent when endScope() closes that.
    bool lasts = false;
    /// What it owns waits in a data pipeline for its consumer; so does what scopes opened inside own.
    bool in_pipeline = false;
  };

  explicit ScopeTree(SlotLimits limits = {.resting = 64}) : scopes_(limits) {}

  /// A child of an open scope, or of the caller; throws Error(kOutOfMemory) beyond 2^26 open scopes.
  OwnerId open(OwnerId parent, std::string_view name);
  /// Ends a scope without children. One that is pinned is from then on a closed child of `heir`.
  void close(OwnerId scope, OwnerId heir);
  /// Makes a scope, with all inside, the child of one that is around it.
  void move(OwnerId scope, OwnerId parent);
  /// From now on, and until as many calls of unpin(), the id of an open scope leads to it or to its heir.
  void pin(OwnerId scope);
  /// The scope that was pinned, or where that is closed the first open one around it; kCaller for 0.
  OwnerId unpin(ScopeId id);
  /// The slot of an open scope; kCaller for a stale id, and for 0.
  OwnerId find(ScopeId id) const {
    const OwnerId slot = scopes_.find(id);
    return scopes_[slot].closed ? kCaller : slot;
  }
  ScopeId id_of(OwnerId scope) const { return scope == kCaller ? 0 : scopes_.id_of(scope); }
  /// True for the caller and for the slot of a scope that is in the tree.
  bool exists(OwnerId scope) const { return scope == kCaller || scopes_[scope].alive; }
  /// Rebuilds the lists of children and the counts, after a change of the tree was cut in the middle. Removes
  /// scopes whose parent is gone.
  void rebuild();
  bool is_inside(OwnerId inner, OwnerId scope) const;
  /// The one after `at` in a walk from `root` down, each before its children; kCaller at the end.
  OwnerId after(OwnerId at, OwnerId root) const;
  Scope& operator[](OwnerId scope) { return scopes_[scope]; }
  const Scope& operator[](OwnerId scope) const { return scopes_[scope]; }
  /// How many are open.
  std::size_t size() const { return scopes_.size() - closed_; }

 private:
  void link(OwnerId scope, OwnerId parent);
  void unlink(OwnerId scope);

  SlotTable<Scope> scopes_;  // scope 0 is the caller
  std::size_t closed_ = 0;   // of those in the table
  OwnerId opening_ = 0;      // taken by an open() that has not returned
};

}  // namespace tenure
