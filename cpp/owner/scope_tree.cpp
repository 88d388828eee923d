#include "owner/scope_tree.h"

#include <utility>

#include "core/error.h"
#include "owner/ledger.h"

namespace tenure {

OwnerId ScopeTree::open(OwnerId parent, std::string_view name) {
  // May throw, so it precedes all changes.
  std::string own_name(name);
  const OwnerId id = scopes_.take();
  if (id == kUnscoped) {
    fail_with(ErrorCode::kOutOfMemory, text(size(), " scopes are open, which is the maximum"));
  }
  // Set before the first call, at which the stack may overflow or a time limit strike: rebuild() needs it.
  opening_ = id;
  Scope& scope = scopes_[id];
  scope.parent = parent;
  scope.rank = scopes_[parent].rank + 1;
  scope.pins = 0;
  scope.closed = scope.capped = scope.sync_only = scope.detachable = false;
  scope.in_pipeline = scopes_[parent].in_pipeline;
  scope.first_child = 0;
  link(id, parent);
  scope.name = std::move(own_name);
  ledger::opened(id, parent);
  opening_ = 0;
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
    scopes_.release(id);
  }
}

void ScopeTree::move(OwnerId scope, OwnerId parent) {
  unlink(scope);
  link(scope, parent);
}

void ScopeTree::pin(OwnerId scope) {
  if (scope != kUnscoped) ++scopes_[scope].pins;
}

OwnerId ScopeTree::unpin(ScopeId id) {
  const OwnerId slot = scopes_.find(id);
  if (slot == kUnscoped) return kUnscoped;
  Scope& scope = scopes_[slot];
  if (scope.pins > 0) --scope.pins;
  if (!scope.closed) return slot;
  const OwnerId heir = scope.parent;
  if (scope.pins == 0) {
    unlink(slot);
    scopes_.release(slot);
    --closed_;
  }
  return heir;
}

void ScopeTree::rebuild() {
  // Its id has not been returned to anyone.
  if (opening_) scopes_[opening_].alive = false;
  opening_ = 0;
  const auto is_orphan = [&](const Scope& scope) {
    return scope.alive && !(exists(scope.parent) && scopes_[scope.parent].rank < scope.rank);
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (OwnerId id = 1; id < scopes_.end(); ++id) {
      if (!is_orphan(scopes_[id])) continue;
      scopes_[id].alive = false;
      changed = true;
    }
  }
  scopes_.rebuild();
  closed_ = 0;
  for (OwnerId id = 0; id < scopes_.end(); ++id) scopes_[id].first_child = 0;
  for (OwnerId id = 1; id < scopes_.end(); ++id) {
    if (!scopes_[id].alive) continue;
    link(id, scopes_[id].parent);
    if (scopes_[id].closed) ++closed_;
  }
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
  return at == root ? kUnscoped : scopes_[at].next;
}

}  // namespace tenure
