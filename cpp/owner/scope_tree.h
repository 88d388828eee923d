#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "owner/handle_table.h"

namespace tenure {

/// What names a scope outside: 16 bits of slot, 15 of generation, so that a stale one is told from a new one.
/// 0 is no scope: the caller.
using ScopeId = std::uint32_t;

/// The open scopes, each with its parent and its children. A scope's slot is its OwnerId in the handle table.
class ScopeTree {
 public:
  struct Scope {
    std::string name;
    OwnerId parent = kCaller;
    OwnerId first_child = 0;
    OwnerId previous = 0;
    OwnerId next = 0;
    std::uint32_t generation = 1;
    bool open = false;
    bool capped = false;
  };

  /// A child of an open scope, or of the caller; throws Error(kOutOfMemory) beyond 2^16 open scopes.
  OwnerId open(OwnerId parent, std::string_view name);
  /// Ends a scope without children.
  void close(OwnerId scope);
  /// The slot of an open scope; kCaller for a stale id, and for 0.
  OwnerId find(ScopeId id) const;
  ScopeId id_of(OwnerId scope) const;
  bool is_inside(OwnerId inner, OwnerId scope) const;
  /// The one after `at` in a walk from `root` down, each before its children; kCaller at the end.
  OwnerId after(OwnerId at, OwnerId root) const;
  /// How many scopes `scope` is below `root`.
  std::size_t depth_below(OwnerId scope, OwnerId root) const;
  Scope& operator[](OwnerId scope) { return scopes_[scope]; }
  const Scope& operator[](OwnerId scope) const { return scopes_[scope]; }
  std::size_t size() const { return size_; }

 private:
  static constexpr int kSlotBits = 16;
  static constexpr std::uint32_t kSlotMask = (1U << kSlotBits) - 1;
  static constexpr std::uint32_t kGenerations = 1U << 15;
  /// So many slots rest before the one closed first is used again.
  static constexpr std::size_t kResting = 64;

  std::vector<Scope> scopes_{1};  // scope 0 is the caller
  OwnerId first_free_ = 0;        // a queue through Scope::next
  OwnerId last_free_ = 0;
  std::size_t free_count_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tenure
