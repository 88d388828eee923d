#include "owner/scope_tree.h"

#include <utility>

#include "core/error.h"
#include "owner/ledger.h"

namespace tenure {

OwnerId ScopeTree::open(OwnerId parent, std::string_view name) {
  // May throw, so it comes before anything changes.
  std::string own_name(name);
  const OwnerId id = scopes_.take();
  if (id == kCaller) {
    fail_with(ErrorCode::kOutOfMemory, text(size(), " scopes are open, which is as many as can be"));
  }
  Scope& scope = scopes_[id];
  scope.name = std::move(own_name);
  scope.rank = scopes_[parent].rank + 1;
  scope.pins = 0;
  scope.closed = scope.capped = scope.brief = scope.lasts = false;
  scope.in_pipeline = scopes_[parent].in_pipeline;
  scope.first_child = 0;
  link(id, parent);
  ledger::opened(id, parent);
  return id;
}

void ScopeTree::close(OwnerId id, OwnerId heir) {
  Scope& scope = scopes_[id];
  unlink(id);
  if (!scope.closed) ledger::closed(id);
  if (scope.pins > 0) {
    if (!std::exchange(scope.closed, true)) ++closed_;
    link(id, heir);
  } else {
    scopes_.give_back(id);
  }
}

void ScopeTree::move(OwnerId scope, OwnerId parent) {
  unlink(scope);
  link(scope, parent);
}

void ScopeTree::pin(OwnerId scope) {
  if (scope != kCaller) ++scopes_[scope].pins;
}

OwnerId ScopeTree::unpin(ScopeId id) {
  const OwnerId slot = scopes_.find(id);
  if (slot == kCaller) return kCaller;
  Scope& scope = scopes_[slot];
  if (scope.pins > 0) --scope.pins;
  if (!scope.closed) return slot;
  const OwnerId heir = scope.parent;
  if (scope.pins == 0) {
    unlink(slot);
    scopes_.give_back(slot);
    --closed_;
  }
  return heir;
}

void ScopeTree::link(OwnerId id, OwnerId parent) {
  Scope& scope = scopes_[id];
  scope.parent = parent;
  scope.previous = 0;
  scope.next = scopes_[parent].first_child;
  if (scope.next) scopes_[scope.next].previous = id;
  scopes_[parent].first_child = id;
}

void ScopeTree::unlink(OwnerId id) {
  const Scope& scope = scopes_[id];
  (scope.previous ? scopes_[scope.previous].next : scopes_[scope.parent].first_child) = scope.next;
  if (scope.next) scopes_[scope.next].previous = scope.previous;
}

bool ScopeTree::is_inside(OwnerId inner, OwnerId scope) const {
  while (scopes_[inner].rank > scopes_[scope].rank) inner = scopes_[inner].parent;
  return inner == scope;
}

OwnerId ScopeTree::after(OwnerId at, OwnerId root) const {
  if (scopes_[at].first_child) return scopes_[at].first_child;
  while (at != root && !scopes_[at].next) at = scopes_[at].parent;
  return at == root ? kCaller : scopes_[at].next;
}

}  // namespace tenure
