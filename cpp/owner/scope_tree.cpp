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
  scope.parent = parent;
  scope.capped = false;
  scope.first_child = scope.previous = 0;
  scope.next = scopes_[parent].first_child;
  if (scope.next) scopes_[scope.next].previous = id;
  scopes_[parent].first_child = id;
  ledger::opened(id, parent);
  return id;
}

void ScopeTree::close(OwnerId id) {
  Scope& scope = scopes_[id];
  (scope.previous ? scopes_[scope.previous].next : scopes_[scope.parent].first_child) = scope.next;
  if (scope.next) scopes_[scope.next].previous = scope.previous;
  scopes_.give_back(id);
  ledger::closed(id);
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
