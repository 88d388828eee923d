#pragma once

#include <vector>

#include "owner/handle_table.h"
#include "owner/scope_tree.h"

namespace tenure {

/// Tensors and their bytes; a buffer seen through two handles counts twice, as in TensorFlow.js.
struct Totals {
  std::size_t tensors = 0;
  std::size_t bytes = 0;
};

/// Who owns which tensor: the handles, and the tree of scopes. One per engine; JavaScript's `tidy`, `scope`,
/// `keep`, `dispose`, `engine().startScope()` and their kind are thin over it.
class Ownership {
 public:
  /// Hands a result to the current scope, or to the caller when none is open; throws when the scope is
  /// capped.
  Handle add(Tensor&& tensor) { return add_to(std::move(tensor), current_); }
  Handle add(const Tensor& tensor) { return add(Tensor(tensor)); }
  /// Makes room for so many more, so that adding them cannot throw half-way.
  void reserve(std::size_t count) { handles_.reserve(count); }
  /// Hands a result to a variable or a model.
  Handle add_held(Tensor tensor) { return add_noted(std::move(tensor), kHolder); }
  /// The live tensor behind a handle; throws Error(kDisposed) for a dead one.
  const Tensor& get(Handle handle) const;
  const Tensor* find(Handle handle) const { return handles_.find(handle); }
  bool alive(Handle handle) const { return handles_.find(handle) != nullptr; }
  /// Frees it; a dead handle is no error, as in TensorFlow.js.
  bool dispose(Handle handle);
  /// Takes a tensor out of its scope for good: from now on it is the caller's to dispose. A holder's stays
  /// the holder's.
  void keep(Handle handle);
  /// Gives a tensor to a holder.
  void hold(Handle handle);
  /// What a holder owns from now on: the tensor itself or, where another holder has it or `shared` asks for
  /// it, a handle of its own on the same bytes. Throws Error(kDisposed).
  Handle adopt(Handle handle, bool shared);
  /// Gives a variable another value: what leads to the variable, on a tape, leads on to whatever it holds.
  void assign(Handle variable, Tensor value);
  /// Another tensor behind a handle.
  void replace(Handle handle, Tensor tensor);

  /// Opens a child of the current scope and makes it current, for the length of synchronous code.
  ScopeId open_scope(std::string_view name = {});
  /// Opens a child of a scope, or of the caller for 0, and leaves the current scope as it is. One that
  /// `lasts` outlives an end_scope() around it. Throws for a stale id.
  ScopeId make_scope(ScopeId parent, std::string_view name, bool lasts = false);
  /// From now on a scope, and what is opened inside, is part of a data pipeline. Throws for a stale id.
  void put_in_pipeline(ScopeId scope) { scopes_[checked(scope)].in_pipeline = true; }
  bool is_in_pipeline(OwnerId owner) const { return owner != kHolder && scopes_[owner].in_pipeline; }
  /// Makes a scope current; gives the one that was, for leave(). Throws for a stale id.
  ScopeId enter(ScopeId scope);
  /// Goes back to what enter() gave or, when that has been closed, to the scope that was then around it.
  void leave(ScopeId previous) { current_ = scopes_.unpin(previous); }
  /// Makes a scope current, or the caller for a stale id and for 0.
  void set_current(ScopeId scope) { current_ = scopes_.find(scope); }
  /// The current scope or, where synchronous code will close that, the first around it that goes on.
  ScopeId lasting_scope() const;
  /// Moves a tensor of this scope, or of one inside, to its parent, where it survives the scope's end; others
  /// stay where they are. Throws when the parent is capped.
  void hand_to_parent(Handle handle, ScopeId scope);
  /// Likewise, past scopes that are capped.
  void pass_out(Handle handle, ScopeId scope);
  /// Moves a tensor to a scope, unless a holder has it. Throws for a stale id, or when the scope is capped.
  void attach(Handle handle, ScopeId scope);
  /// Whether the scope or one inside it owns the tensor.
  bool owns(ScopeId scope, Handle handle) const;
  /// Gives a scope a handle of its own on a tensor's bytes, which counts as borrowed until it moves. Throws
  /// for a dead handle, for a stale id, or when the scope is capped.
  Handle borrow(Handle handle, ScopeId scope);
  /// From now on, what would give the scope another tensor throws. Throws for a stale id.
  void cap(ScopeId scope);
  /// Frees what the scope and those inside still own, and closes them all. Where one of them was current, the
  /// parent is. A scope that is not open is no error.
  void close_scope(ScopeId scope);
  /// Likewise, but its children that last go to its parent with all that they own.
  void end_scope(ScopeId scope);

  ScopeId current_scope() const { return scopes_.id_of(current_); }
  bool is_open(ScopeId scope) const { return scopes_.find(scope) != kCaller; }
  std::size_t open_scopes() const { return scopes_.size(); }
  /// What the scope and those inside own; for 0, the caller and all scopes; for a stale id, nothing.
  Totals totals(ScopeId scope) const;
  /// The scope and those inside as text, a line each, with what each owns.
  std::string dump(ScopeId scope) const;
  /// Calls f(handle, tensor) for what the scope and those inside own; for 0, the caller and all scopes.
  template <class F>
  void for_each(ScopeId scope, F f) const {
    const OwnerId root = scopes_.find(scope);
    if (scope && root == kCaller) return;
    OwnerId at = root;
    do {
      handles_.for_each(at, f);
      at = scopes_.after(at, root);
    } while (at != kCaller);
  }
  /// Likewise in the order of their slots, from `first` on, with holders' for 0 and for a scope without what
  /// it borrowed, until f gives false; gives where to go on, 0 at the end.
  template <class F>
  std::uint32_t scan(ScopeId scope, std::uint32_t first, F f) const {
    const OwnerId root = scopes_.find(scope);
    if (scope && root == kCaller) return 0;
    return handles_.scan(first, [&](Handle handle, const Tensor& tensor, OwnerId owner) {
      const bool is_asked = root == kCaller || (owner != kHolder && scopes_.is_inside(owner, root) &&
                                                !handles_.is_borrowed(handle));
      return !is_asked || f(handle, tensor);
    });
  }

  /// Makes scopes and handles consistent again after a change of them was cut in the middle.
  void rebuild();

  /// From now on, or no longer, notes the tensors that are made.
  void watch_births(bool on);
  /// Takes one of those that are still alive; 0 when there is none.
  Handle take_birth();

  const HandleTable& handles() const { return handles_; }

 private:
  Handle add_to(Tensor&& tensor, OwnerId owner);
  Handle add_noted(Tensor&& tensor, OwnerId owner);
  void make_room_for_birth();
  OwnerId checked(ScopeId scope) const;
  void move_up(Handle handle, OwnerId scope, OwnerId to);
  std::string line_of(OwnerId scope, std::size_t depth) const;

  HandleTable handles_;
  ScopeTree scopes_;
  OwnerId current_ = kCaller;
  bool watches_births_ = false;
  std::vector<Handle> births_;
};

/// The engine's one Ownership.
Ownership& ownership();

/// A scope for the length of a C++ block.
class ScopeGuard {
 public:
  explicit ScopeGuard(std::string_view name = {}) : id_(ownership().open_scope(name)) {}
  ~ScopeGuard() { ownership().close_scope(id_); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;
  ScopeId id() const { return id_; }

 private:
  ScopeId id_;
};

}  // namespace tenure
