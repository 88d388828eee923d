#pragma once

#include <vector>

#include "owner/handle_table.h"
#include "owner/scope_tree.h"

namespace tenure {

/// Number of tensors and of their bytes; a buffer behind two handles counts twice, as in TensorFlow.js.
struct Totals {
  std::size_t tensors = 0;
  std::size_t bytes = 0;
};

/// Ownership of tensors: the handles, and the tree of scopes. There is one per engine. JavaScript's `tidy`,
/// `scope`, `keep`, `dispose`, `engine().startScope()` and the like are thin wrappers over it.
class Ownership {
 public:
  /// Adds a tensor to the current scope, or to kUnscoped if none is open. Throws Error(kInvalid) if the scope
  /// is capped.
  Handle add(Tensor&& tensor) { return add_to(std::move(tensor), current_); }
  Handle add(const Tensor& tensor) { return add(Tensor(tensor)); }
  /// Reserves room for `count` more tensors, so that adding them cannot throw half-way.
  void reserve(std::size_t count) { handles_.reserve(count); }
  /// Adds a tensor that a variable or a model owns.
  Handle add_retained(Tensor tensor) { return add_logged(std::move(tensor), kRetained); }
  /// Returns the live tensor behind a handle. Throws Error(kDisposed) for a dead one.
  const Tensor& get(Handle handle) const;
  const Tensor* find(Handle handle) const { return handles_.find(handle); }
  bool alive(Handle handle) const { return handles_.find(handle) != nullptr; }
  /// Frees a tensor. Returns false for a dead handle, which is no error, as in TensorFlow.js.
  bool dispose(Handle handle);
  /// Takes a tensor out of its scope for good, so that it must be disposed explicitly. Does nothing if a
  /// variable or a model owns it.
  void keep(Handle handle);
  /// Makes kRetained the owner of a tensor: a variable or a model disposes it.
  void retain(Handle handle);
  /// Returns the handle that a variable or a model owns from then on: the tensor's or, if another one owns it
  /// or `shared` is true, a new one to the same bytes. Throws Error(kDisposed) for a dead handle.
  Handle adopt(Handle handle, bool shared);
  /// Sets the value of a variable. The new value takes over the old one's number, so that gradients on a tape
  /// still reach the variable.
  void assign(Handle variable, Tensor value);
  /// Replaces the tensor behind a live handle.
  void replace(Handle handle, Tensor tensor);

  /// Opens a child of the current scope and makes it current, until the end of the synchronous code that
  /// calls it.
  ScopeId open_scope(std::string_view name = {});
  /// Opens a child of a scope, or of kUnscoped for 0, and leaves the current scope as it is. With
  /// `detachable` it survives the end_scope() of its parent. Throws for a stale id.
  ScopeId make_scope(ScopeId parent, std::string_view name, bool detachable = false);
  /// Marks a scope, and those opened inside it later, as part of a data pipeline. Throws for a stale id.
  void mark_in_pipeline(ScopeId scope) { scopes_[checked(scope)].in_pipeline = true; }
  bool is_in_pipeline(OwnerId owner) const { return owner != kRetained && scopes_[owner].in_pipeline; }
  /// Makes a scope current. Returns the previous one, for leave(). Throws for a stale id.
  ScopeId enter(ScopeId scope);
  /// Restores the scope that enter() returned or, if it has been closed, the first open one around it.
  void leave(ScopeId previous) { current_ = scopes_.unpin(previous); }
  /// Makes a scope current, or kUnscoped for a stale id and for 0.
  void set_current(ScopeId scope) { current_ = scopes_.find(scope); }
  /// Returns the current scope or, if synchronous code will close it or one around it, the parent of the
  /// outermost scope that such code will close.
  ScopeId lasting_scope() const;
  /// Moves a tensor of this scope, or of one inside, to the scope's parent, where it survives the scope's
  /// end. Other tensors stay where they are. Throws if the parent is capped.
  void move_to_parent(Handle handle, ScopeId scope);
  /// Moves a tensor of this scope, or of one inside, to the first scope around it that is not capped. Throws
  /// for a stale id.
  void move_past_capped(Handle handle, ScopeId scope);
  /// Moves a tensor to a scope, unless a variable or a model owns it. Throws for a stale id, or if the scope
  /// is capped.
  void attach(Handle handle, ScopeId scope);
  /// True if the scope or one inside it owns the tensor.
  bool owns(ScopeId scope, Handle handle) const;
  /// Adds a new handle to a tensor's bytes to a scope. It counts as borrowed until it moves. Throws for a
  /// dead handle, for a stale id, or if the scope is capped.
  Handle borrow(Handle handle, ScopeId scope);
  /// Caps a scope: adding a tensor to it throws from then on. Throws for a stale id.
  void cap(ScopeId scope);
  /// Closes the scope and those inside, and frees what they own. If one of them was current, the scope's
  /// parent becomes current. Does nothing if the scope is not open.
  void close_scope(ScopeId scope);
  /// Closes the scope as close_scope() does, but first moves its children with `detachable`, and all that
  /// they own, to its parent.
  void end_scope(ScopeId scope);

  ScopeId current_scope() const { return scopes_.get_id(current_); }
  bool is_open(ScopeId scope) const { return scopes_.find(scope) != kUnscoped; }
  std::size_t open_scopes() const { return scopes_.size(); }
  /// Returns the totals of the scope and those inside; for 0, of kUnscoped and all scopes; for a stale id,
  /// nothing.
  Totals totals(ScopeId scope) const;
  /// Returns the scope and those inside as text, one line each, with what each owns.
  std::string dump(ScopeId scope) const;
  /// Calls f(handle, tensor) for what the scope and those inside own; for 0, for kUnscoped and all scopes.
  template <class F>
  void for_each(ScopeId scope, F f) const {
    const OwnerId root = scopes_.find(scope);
    if (scope && root == kUnscoped) return;
    OwnerId at = root;
    do {
      handles_.for_each(at, f);
      at = scopes_.after(at, root);
    } while (at != kUnscoped);
  }
  /// Calls f(handle, tensor) in the order of slots from `first` on, until f returns false. Returns the slot
  /// to resume at, 0 at the end. For a scope, covers it and those inside, without borrowed tensors; for 0,
  /// all tensors, those of kRetained included.
  template <class F>
  std::uint32_t scan(ScopeId scope, std::uint32_t first, F f) const {
    const OwnerId root = scopes_.find(scope);
    if (scope && root == kUnscoped) return 0;
    return handles_.scan(first, [&](Handle handle, const Tensor& tensor, OwnerId owner) {
      const bool is_asked = root == kUnscoped || (owner != kRetained && scopes_.is_inside(owner, root) &&
                                                  !handles_.is_borrowed(handle));
      return !is_asked || f(handle, tensor);
    });
  }

  /// Restores the consistency of scopes and handles after a change of them was interrupted.
  void rebuild();

  /// Starts or stops the log of created tensors, and clears it.
  void log_creations(bool on);
  /// Removes the newest tensor from the log that is still alive, and returns it; 0 if there is none.
  Handle pop_created();

  const HandleTable& handles() const { return handles_; }

 private:
  Handle add_to(Tensor&& tensor, OwnerId owner);
  Handle add_logged(Tensor&& tensor, OwnerId owner);
  void reserve_creation_log();
  OwnerId checked(ScopeId scope) const;
  void move_up(Handle handle, OwnerId scope, OwnerId to);
  std::string get_line(OwnerId scope, std::size_t depth) const;

  HandleTable handles_;
  ScopeTree scopes_;
  OwnerId current_ = kUnscoped;
  bool logs_creations_ = false;
  std::vector<Handle> creation_log_;
};

/// Returns the engine's one Ownership.
Ownership& ownership();

/// Scope: opens a scope of tensors for the length of a C++ block.
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
