#include "owner/ownership.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/lazy.h"

namespace tenure {

namespace {

/// Maximum indentation of a dump. Deeper lines say how deep they are, so that the text does not grow with the
/// square of the depth.
constexpr std::size_t kMaxIndents = 32;

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

Handle Ownership::add_to(Tensor&& tensor, OwnerId owner) {
  check_room(scopes_[owner]);
  return add_logged(std::move(tensor), owner);
}

Handle Ownership::add_logged(Tensor&& tensor, OwnerId owner) {
  if (!logs_creations_) [[likely]]
    return handles_.add(std::move(tensor), owner);
  reserve_creation_log();
  creation_log_.push_back(handles_.add(std::move(tensor), owner));
  return creation_log_.back();
}

bool Ownership::dispose(Handle handle) {
  const bool was_alive = handles_.remove(handle);
  lazy::flush();
  return was_alive;
}

void Ownership::assign(Handle variable, Tensor value) {
  value.set_value(get(variable).value());
  replace(variable, std::move(value));
}

void Ownership::replace(Handle handle, Tensor tensor) {
  handles_.replace(handle, std::move(tensor));
  lazy::flush();
}

void Ownership::keep(Handle handle) {
  if (handles_.get_owner(handle) != kRetained) handles_.set_owner(handle, kUnscoped);
}

void Ownership::retain(Handle handle) { handles_.set_owner(handle, kRetained); }

Handle Ownership::adopt(Handle handle, bool shared) {
  const Tensor& tensor = get(handle);
  if (shared || handles_.get_owner(handle) == kRetained) return add_retained(tensor);
  retain(handle);
  return handle;
}

OwnerId Ownership::checked(ScopeId scope) const {
  const OwnerId slot = scopes_.find(scope);
  check(slot != kUnscoped, "the scope is closed");
  return slot;
}

ScopeId Ownership::open_scope(std::string_view name) {
  current_ = scopes_.open(current_, name);
  scopes_[current_].sync_only = true;
  return scopes_.get_id(current_);
}

ScopeId Ownership::make_scope(ScopeId parent, std::string_view name, bool detachable) {
  const OwnerId slot = scopes_.open(parent ? checked(parent) : kUnscoped, name);
  scopes_[slot].detachable = detachable;
  return scopes_.get_id(slot);
}

ScopeId Ownership::enter(ScopeId scope) {
  const OwnerId slot = checked(scope);
  const ScopeId previous = current_scope();
  scopes_.pin(current_);
  current_ = slot;
  return previous;
}

ScopeId Ownership::lasting_scope() const {
  OwnerId lasting = current_;
  for (OwnerId at = current_; at != kUnscoped; at = scopes_[at].parent) {
    if (scopes_[at].sync_only) lasting = scopes_[at].parent;
  }
  return scopes_.get_id(lasting);
}

void Ownership::move_to_parent(Handle handle, ScopeId scope) {
  const OwnerId slot = scopes_.find(scope);
  if (slot != kUnscoped) move_up(handle, slot, scopes_[slot].parent);
}

void Ownership::move_past_capped(Handle handle, ScopeId scope) {
  const OwnerId slot = checked(scope);
  OwnerId to = scopes_[slot].parent;
  while (scopes_[to].capped) to = scopes_[to].parent;
  move_up(handle, slot, to);
}

void Ownership::move_up(Handle handle, OwnerId scope, OwnerId to) {
  const OwnerId owner = handles_.get_owner(handle);
  if (owner == kUnscoped || owner == kRetained) return;
  // A result may also belong to a scope that was opened inside and is not closed yet.
  if (!scopes_.is_inside(owner, scope)) return;
  check_room(scopes_[to]);
  handles_.set_owner(handle, to);
}

void Ownership::attach(Handle handle, ScopeId scope) {
  const OwnerId to = checked(scope);
  const OwnerId owner = handles_.get_owner(handle);
  if (owner == kRetained || owner == to) return;
  check_room(scopes_[to]);
  handles_.set_owner(handle, to);
}

bool Ownership::owns(ScopeId scope, Handle handle) const {
  const OwnerId root = scopes_.find(scope);
  const OwnerId owner = handles_.find(handle) ? handles_.get_owner(handle) : kUnscoped;
  return root != kUnscoped && owner != kUnscoped && owner != kRetained && scopes_.is_inside(owner, root);
}

Handle Ownership::borrow(Handle handle, ScopeId scope) {
  const Handle borrowed = add_to(Tensor(get(handle)), checked(scope));
  handles_.set_borrowed(borrowed);
  return borrowed;
}

void Ownership::cap(ScopeId scope) { scopes_[checked(scope)].capped = true; }

void Ownership::close_scope(ScopeId scope) {
  const OwnerId root = scopes_.find(scope);
  if (root == kUnscoped) return;
  const OwnerId heir = scopes_[root].parent;
  if (scopes_.is_inside(current_, root)) current_ = heir;
  for (OwnerId at = root;;) {
    while (scopes_[at].first_child) at = scopes_[at].first_child;
    const OwnerId parent = scopes_[at].parent;
    handles_.remove_all(at);
    scopes_.close(at, heir);
    if (at == root) break;
    at = parent;
  }
  lazy::flush();
}

void Ownership::end_scope(ScopeId scope) {
  const OwnerId root = scopes_.find(scope);
  if (root == kUnscoped) return;
  for (OwnerId at = scopes_[root].first_child; at != 0;) {
    const OwnerId next = scopes_[at].next;
    if (scopes_[at].detachable) scopes_.move(at, scopes_[root].parent);
    at = next;
  }
  close_scope(scope);
}

void Ownership::rebuild() {
  scopes_.rebuild();
  while (!scopes_.exists(current_)) current_ = scopes_[current_].parent;
  handles_.rebuild([&](OwnerId owner) { return owner == kRetained || scopes_.exists(owner); });
}

void Ownership::log_creations(bool on) {
  logs_creations_ = on;
  creation_log_.clear();
}

void Ownership::reserve_creation_log() {
  if (creation_log_.size() < creation_log_.capacity()) return;
  std::erase_if(creation_log_, [&](Handle born) { return !alive(born); });
  creation_log_.reserve(2 * creation_log_.size() + 64);
}

Handle Ownership::pop_created() {
  while (!creation_log_.empty()) {
    const Handle born = creation_log_.back();
    creation_log_.pop_back();
    if (alive(born)) return born;
  }
  return 0;
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
  if (scope && root == kUnscoped) return lines;
  std::size_t depth = 0;
  OwnerId at = root;
  do {
    if (!scopes_[at].closed) lines += get_line(at, depth);
    const OwnerId next = scopes_.after(at, root);
    if (next != kUnscoped && scopes_[next].parent == at) {
      ++depth;
    } else if (next != kUnscoped) {
      for (OwnerId up = at; scopes_[up].parent != scopes_[next].parent; up = scopes_[up].parent) --depth;
    }
    at = next;
  } while (at != kUnscoped);
  return lines;
}

std::string Ownership::get_line(OwnerId scope, std::size_t depth) const {
  Totals own;
  handles_.for_each(scope, [&](Handle, const Tensor& tensor) {
    ++own.tensors;
    own.bytes += tensor.bytes();
  });
  const ScopeTree::Scope& at = scopes_[scope];
  const std::string deeper = depth > kMaxIndents ? text("(", depth, " deep) ") : std::string();
  return std::string(2 * std::min(depth, kMaxIndents), ' ') +
         text(deeper,
              scope == kUnscoped ? "caller"
              : at.name.empty()  ? "scope"
                                 : at.name,
              at.capped ? " (capped): " : ": ", own.tensors, " tensors, ", own.bytes, " bytes\n");
}

Ownership& ownership() {
  static Ownership instance;
  return instance;
}

}  // namespace tenure
