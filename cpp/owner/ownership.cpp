#include "owner/ownership.h"

#include "core/error.h"

namespace tenure {

const Tensor& Ownership::get(Handle handle) const {
  const Tensor* tensor = handles_.find(handle);
  if (!tensor) fail_with(ErrorCode::kDisposed, "Tensor is disposed.");
  return *tensor;
}

void Ownership::keep(Handle handle) {
  if (handles_.owner_of(handle) != kHolder) handles_.set_owner(handle, kCaller);
}

void Ownership::hold(Handle handle) { handles_.set_owner(handle, kHolder); }

ScopeId Ownership::open_scope(std::string_view name) {
  ScopeId id = 0;
  if (free_scopes_.empty()) {
    id = static_cast<ScopeId>(scopes_.size());
    scopes_.emplace_back();
  } else {
    id = free_scopes_.back();
    free_scopes_.pop_back();
  }
  scopes_[id].name = name;
  scopes_[id].parent = current_;
  scopes_[id].open = true;
  current_ = id;
  ++open_count_;
  return id;
}

void Ownership::hand_to_parent(Handle handle, ScopeId scope) {
  const ScopeId owner = handles_.owner_of(handle);
  if (owner == kCaller || owner == kHolder) return;
  // A result may also belong to a scope opened inside and not closed yet.
  if (is_inside(owner, scope)) handles_.set_owner(handle, scopes_[scope].parent);
}

bool Ownership::is_inside(ScopeId inner, ScopeId scope) const {
  while (inner != scope && inner != kCaller) inner = scopes_[inner].parent;
  return inner == scope;
}

void Ownership::close_scope(ScopeId scope) {
  if (scope == kCaller || scope >= scopes_.size() || !scopes_[scope].open) return;
  // A scope opened inside and left open by a throw ends with the one around it.
  while (current_ != scope && is_inside(current_, scope)) close_current();
  if (current_ == scope) close_current();
}

void Ownership::close_current() {
  const ScopeId closing = current_;
  handles_.remove_all(closing);
  scopes_[closing].open = false;
  current_ = scopes_[closing].parent;
  free_scopes_.push_back(closing);
  --open_count_;
}

Ownership& ownership() {
  static Ownership instance;
  return instance;
}

}  // namespace tenure
