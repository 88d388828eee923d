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
    bool alive = false;
    bool capped = false;
  };

  explicit ScopeTree(SlotLimits limits = {.resting = 64}) : scopes_(limits) {}

  /// A child of an open scope, or of the caller; throws Error(kOutOfMemory) beyond 2^26 open scopes.
  OwnerId open(OwnerId parent, std::string_view name);
  /// Ends a scope without children.
  void close(OwnerId scope);
  /// The slot of an open scope; kCaller for a stale id, and for 0.
  OwnerId find(ScopeId id) const { return scopes_.find(id); }
  ScopeId id_of(OwnerId scope) const { return scope == kCaller ? 0 : scopes_.id_of(scope); }
  bool is_inside(OwnerId inner, OwnerId scope) const;
  /// The one after `at` in a walk from `root` down, each before its children; kCaller at the end.
  OwnerId after(OwnerId at, OwnerId root) const;
  /// How many scopes `scope` is below `root`.
  std::size_t depth_below(OwnerId scope, OwnerId root) const;
  Scope& operator[](OwnerId scope) { return scopes_[scope]; }
  const Scope& operator[](OwnerId scope) const { return scopes_[scope]; }
  std::size_t size() const { return scopes_.size(); }

 private:
  SlotTable<Scope> scopes_;  // scope 0 is the caller
};

}  // namespace tenure
