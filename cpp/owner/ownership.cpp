#include "owner/ownership.h"

#include "core/error.h"

namespace tenure {

namespace {

void check_room(const ScopeTree::Scope& scope) {
  if (scope.capped) [[unlikely]]
    fail("scope '", scope.name, "' is capped: it takes no more tensors");
}

}  // namespace

const Tensor& Ownership::get(Handle handle) const {
  const Tensor* tensor = handles_.find(handle);
  if (!tensor) fail_with(ErrorCode::kDisposed, "Tensor is disposed.");
  return *tensor;
}

Handle Ownership::add_to(Tensor tensor, OwnerId owner) {
  check_room(scopes_[owner]);
  return handles_.add(std::move(tensor), owner);
}

void Ownership::keep(Handle handle) {
  if (handles_.owner_of(handle) != kHolder) handles_.set_owner(handle, kCaller);
}

void Ownership::hold(Handle handle) { handles_.set_owner(handle, kHolder); }

Handle Ownership::adopt(Handle handle, bool shared) {
  const Tensor& tensor = get(handle);
  if (shared || handles_.owner_of(handle) == kHolder) return add_held(tensor);
  hold(handle);
  return handle;
}

OwnerId Ownership::checked(ScopeId scope) const {
  const OwnerId slot = scopes_.find(scope);
  check(slot != kCaller, "the scope is closed");
  return slot;
}

ScopeId Ownership::open_scope(std::string_view name) {
  current_ = scopes_.open(current_, name);
  return scopes_.id_of(current_);
}

ScopeId Ownership::make_scope(ScopeId parent, std::string_view name) {
  return scopes_.id_of(scopes_.open(parent ? checked(parent) : kCaller, name));
}

ScopeId Ownership::enter(ScopeId scope) {
  const OwnerId slot = checked(scope);
  const ScopeId previous = current_scope();
  current_ = slot;
  return previous;
}

void Ownership::hand_to_parent(Handle handle, ScopeId scope) {
  const OwnerId slot = scopes_.find(scope);
  if (slot != kCaller) move_up(handle, slot, scopes_[slot].parent);
}

void Ownership::pass_out(Handle handle, ScopeId scope) {
  const OwnerId slot = checked(scope);
  OwnerId to = scopes_[slot].parent;
  while (scopes_[to].capped) to = scopes_[to].parent;
  move_up(handle, slot, to);
}

void Ownership::move_up(Handle handle, OwnerId scope, OwnerId to) {
  const OwnerId owner = handles_.owner_of(handle);
  if (owner == kCaller || owner == kHolder) return;
  // A result may also belong to a scope opened inside and not closed yet.
  if (!scopes_.is_inside(owner, scope)) return;
  check_room(scopes_[to]);
  handles_.set_owner(handle, to);
}

void Ownership::attach(Handle handle, ScopeId scope) {
  const OwnerId to = checked(scope);
  const OwnerId owner = handles_.owner_of(handle);
  if (owner == kHolder || owner == to) return;
  check_room(scopes_[to]);
  handles_.set_owner(handle, to);
}

bool Ownership::owns(ScopeId scope, Handle handle) const {
  const OwnerId root = scopes_.find(scope);
  const OwnerId owner = handles_.find(handle) ? handles_.owner_of(handle) : kCaller;
  return root != kCaller && owner != kCaller && owner != kHolder && scopes_.is_inside(owner, root);
}

Handle Ownership::borrow(Handle handle, ScopeId scope) { return add_to(get(handle), checked(scope)); }

void Ownership::cap(ScopeId scope) { scopes_[checked(scope)].capped = true; }

void Ownership::close_scope(ScopeId scope) {
  const OwnerId root = scopes_.find(scope);
  if (root == kCaller) return;
  if (scopes_.is_inside(current_, root)) current_ = scopes_[root].parent;
  for (OwnerId last = kCaller; last != root;) {
    last = root;
    while (scopes_[last].first_child) last = scopes_[last].first_child;
    handles_.remove_all(last);
    scopes_.close(last);
  }
}

Totals Ownership::totals(ScopeId scope) const {
  Totals totals;
  for_each(scope, [&](Handle, const Tensor& tensor) {
    ++totals.tensors;
    totals.bytes += tensor.bytes();
  });
  return totals;
}

std::string Ownership::dump(ScopeId scope) const {
  std::string lines;
  const OwnerId root = scopes_.find(scope);
  if (scope && root == kCaller) return lines;
  OwnerId at = root;
  do {
    Totals own;
    handles_.for_each(at, [&](Handle, const Tensor& tensor) {
      ++own.tensors;
      own.bytes += tensor.bytes();
    });
    lines.append(2 * scopes_.depth_below(at, root), ' ');
    lines +=
        text(at == kCaller              ? "caller"
             : scopes_[at].name.empty() ? "scope"
                                        : scopes_[at].name,
             scopes_[at].capped ? " (capped): " : ": ", own.tensors, " tensors, ", own.bytes, " bytes\n");
    at = scopes_.after(at, root);
  } while (at != kCaller);
  return lines;
}

Ownership& ownership() {
  static Ownership instance;
  return instance;
}

}  // namespace tenure
