#pragma once

#include "owner/handle_table.h"

namespace tenure {

/// Who owns which tensor: the handles, and the tree of scopes. One per engine; JavaScript's `tidy`, `keep`,
/// `dispose`, `engine().startScope()` and their kind are thin over it.
class Ownership {
 public:
  /// Hands a result to the current scope, or to the caller when none is open.
  Handle add(Tensor tensor) { return handles_.add(std::move(tensor), current_); }
  /// Hands a result to a variable or a model.
  Handle add_held(Tensor tensor) { return handles_.add(std::move(tensor), kHolder); }
  /// The live tensor behind a handle; throws Error(kDisposed) for a dead one.
  const Tensor& get(Handle handle) const;
  const Tensor* find(Handle handle) const { return handles_.find(handle); }
  bool alive(Handle handle) const { return handles_.find(handle) != nullptr; }
  /// Frees it; a dead handle is no error, as in TensorFlow.js.
  bool dispose(Handle handle) { return handles_.remove(handle); }
  /// Takes a tensor out of its scope for good: from now on it is the caller's to dispose. A holder's stays
  /// the holder's.
  void keep(Handle handle);
  /// Gives a tensor to a holder.
  void hold(Handle handle);
  /// Another value behind a variable's handle.
  void assign(Handle handle, Tensor tensor) { handles_.replace(handle, std::move(tensor)); }

  /// Opens a child of the current scope and makes it current.
  ScopeId open_scope(std::string_view name = {});
  /// Moves a tensor of this scope to its parent, where it survives the scope's end; others stay where they
  /// are.
  void hand_to_parent(Handle handle, ScopeId scope);
  /// Frees what the scope still owns, and closes whatever was opened inside and left open; its parent becomes
  /// current. A scope that is not open is no error.
  void close_scope(ScopeId scope);
  ScopeId current_scope() const { return current_; }
  std::size_t open_scopes() const { return open_count_; }

  const HandleTable& handles() const { return handles_; }

 private:
  struct Scope {
    std::string name;
    ScopeId parent = kCaller;
    bool open = false;
  };

  bool is_inside(ScopeId inner, ScopeId scope) const;
  void close_current();

  HandleTable handles_;
  std::vector<Scope> scopes_{1};  // scope 0 is the caller
  std::vector<ScopeId> free_scopes_;
  ScopeId current_ = kCaller;
  std::size_t open_count_ = 0;
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
