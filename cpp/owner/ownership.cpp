#include "owner/ownership.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/lazy.h"

namespace tenure {

namespace {

/// Maximum indentation of a dump. Deeper lines say how deep they are, so that the text does not grow with the
/// square of the depth.
constexpr std::size_t kMostIndents = 32;

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
  return add_noted(std::move(tensor), owner);
}

Handle Ownership::add_noted(Tensor&& tensor, OwnerId owner) {
  if (!watches_births_) [[likely]]
    return handles_.add(std::move(tensor), owner);
  make_room_for_birth();
  births_.push_back(handles_.add(std::move(tensor), owner));
  return births_.back();
}

bool Ownership::dispose(Handle handle) {
  const bool was_alive = handles_.remove(handle);
  lazy::settle();
  return was_alive;
}

void Ownership::assign(Handle variable, Tensor value) {
  value.set_value(get(variable).value());
  replace(variable, std::move(value));
}

void Ownership::replace(Handle handle, Tensor tensor) {
  handles_.replace(handle, std::move(tensor));
  lazy::settle();
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
  scopes_[current_].brief = true;
  return scopes_.id_of(current_);
}

ScopeId Ownership::make_scope(ScopeId parent, std::string_view name, bool lasts) {
  const OwnerId made = scopes_.open(parent ? checked(parent) : kCaller, name);
  scopes_[made].lasts = lasts;
  return scopes_.id_of(made);
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
  for (OwnerId at = current_; at != kCaller; at = scopes_[at].parent) {
    if (scopes_[at].brief) lasting = scopes_[at].parent;
  }
  return scopes_.id_of(lasting);
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
  // A result may also belong to a scope that was opened inside and is not closed yet.
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

Handle Ownership::borrow(Handle handle, ScopeId scope) {
  const Handle borrowed = add_to(Tensor(get(handle)), checked(scope));
  handles_.set_borrowed(borrowed);
  return borrowed;
}

void Ownership::cap(ScopeId scope) { scopes_[checked(scope)].capped = true; }

void Ownership::close_scope(ScopeId scope) {
  const OwnerId root = scopes_.find(scope);
  if (root == kCaller) return;
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
  lazy::settle();
}

void Ownership::end_scope(ScopeId scope) {
  const OwnerId root = scopes_.find(scope);
  if (root == kCaller) return;
  for (OwnerId at = scopes_[root].first_child; at != 0;) {
    const OwnerId next = scopes_[at].next;
    if (scopes_[at].lasts) scopes_.move(at, scopes_[root].parent);
    at = next;
  }
  close_scope(scope);
}

void Ownership::rebuild() {
  scopes_.rebuild();
  while (!scopes_.exists(current_)) current_ = scopes_[current_].parent;
  handles_.rebuild([&](OwnerId owner) { return owner == kHolder || scopes_.exists(owner); });
}

void Ownership::watch_births(bool on) {
  watches_births_ = on;
  births_.clear();
}

void Ownership::make_room_for_birth() {
  if (births_.size() < births_.capacity()) return;
  std::erase_if(births_, [&](Handle born) { return !alive(born); });
  births_.reserve(2 * births_.size() + 64);
}

Handle Ownership::take_birth() {
  while (!births_.empty()) {
    const Handle born = births_.back();
    births_.pop_back();
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
  if (scope && root == kCaller) return lines;
  std::size_t depth = 0;
  OwnerId at = root;
  do {
    if (!scopes_[at].closed) lines += line_of(at, depth);
    const OwnerId next = scopes_.after(at, root);
    if (next != kCaller && scopes_[next].parent == at) {
      ++depth;
    } else if (next != kCaller) {
      for (OwnerId up = at; scopes_[up].parent != scopes_[next].parent; up = scopes_[up].parent) --depth;
    }
    at = next;
  } while (at != kCaller);
  return lines;
}

std::string Ownership::line_of(OwnerId scope, std::size_t depth) const {
  Totals own;
  handles_.for_each(scope, [&](Handle, const Tensor& tensor) {
    ++own.tensors;
    own.bytes += tensor.bytes();
  });
  const ScopeTree::Scope& at = scopes_[scope];
  const std::string deeper = depth > kMostIndents ? text("(", depth, " deep) ") : std::string();
  return std::string(2 * std::min(depth, kMostIndents), ' ') +
         text(deeper,
              scope == kCaller  ? "caller"
              : at.name.empty() ? "scope"
                                : at.name,
              at.capped ? " (capped): " : ": ", own.tensors, " tensors, ", own.bytes, " bytes\n");
}

Ownership& ownership() {
  static Ownership instance;
  return instance;
}

}  // namespace tenure
