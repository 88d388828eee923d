#include "owner/scope_tree.h"

#include <utility>

#include "core/error.h"
#include "owner/ledger.h"

namespace tenure {

OwnerId ScopeTree::open(OwnerId parent, std::string_view name) {
  // May throw, so it comes before anything changes.
  std::string own_name(name);
  OwnerId id = first_free_;
  if (free_count_ > kResting || (free_count_ > 0 && scopes_.size() > kSlotMask)) {
    first_free_ = scopes_[id].next;
    --free_count_;
  } else {
    if (scopes_.size() > kSlotMask) {
      fail_with(ErrorCode::kOutOfMemory, text(size_, " scopes are open, which is as many as can be"));
    }
    id = static_cast<OwnerId>(scopes_.size());
    scopes_.emplace_back();
  }
  Scope& scope = scopes_[id];
  scope.name = std::move(own_name);
  scope.parent = parent;
  scope.open = true;
  scope.capped = false;
  scope.first_child = scope.previous = 0;
  scope.next = scopes_[parent].first_child;
  if (scope.next) scopes_[scope.next].previous = id;
  scopes_[parent].first_child = id;
  ++size_;
  ledger::opened(id, parent);
  return id;
}

void ScopeTree::close(OwnerId id) {
  Scope& scope = scopes_[id];
  (scope.previous ? scopes_[scope.previous].next : scopes_[scope.parent].first_child) = scope.next;
  if (scope.next) scopes_[scope.next].previous = scope.previous;
  scope.open = false;
  scope.generation = scope.generation + 1 == kGenerations ? 1 : scope.generation + 1;
  (free_count_ ? scopes_[last_free_].next : first_free_) = id;
  last_free_ = id;
  ++free_count_;
  --size_;
  ledger::closed(id);
}

OwnerId ScopeTree::find(ScopeId id) const {
  const OwnerId slot = id & kSlotMask;
  if (slot >= scopes_.size()) return kCaller;
  const Scope& scope = scopes_[slot];
  return scope.open && scope.generation == id >> kSlotBits ? slot : kCaller;
}

ScopeId ScopeTree::id_of(OwnerId scope) const {
  return scope == kCaller ? 0 : scope | scopes_[scope].generation << kSlotBits;
}

bool ScopeTree::is_inside(OwnerId inner, OwnerId scope) const {
  while (inner != scope && inner != kCaller) inner = scopes_[inner].parent;
  return inner == scope;
}

OwnerId ScopeTree::after(OwnerId at, OwnerId root) const {
  if (scopes_[at].first_child) return scopes_[at].first_child;
  while (at != root && !scopes_[at].next) at = scopes_[at].parent;
  return at == root ? kCaller : scopes_[at].next;
}

std::size_t ScopeTree::depth_below(OwnerId scope, OwnerId root) const {
  std::size_t depth = 0;
  for (; scope != root; scope = scopes_[scope].parent) ++depth;
  return depth;
}

}  // namespace tenure
