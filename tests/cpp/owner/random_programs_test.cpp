#include <algorithm>
#include <set>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "ops/autodiff/backward.h"
#include "ops/ops.h"
#include "owner/ownership.h"

using namespace tenure;

namespace {

/// The same numbers for the same seed (Knuth's MMIX generator).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 1) {}
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

/// What should be true of a tensor and of a scope, in plain words.
struct ModelTensor {
  Handle handle;
  int buffer;
  std::size_t bytes;
  int owner;
  bool alive = true;
  bool borrowed = false;
};
struct ModelScope {
  ScopeId id;
  int parent;
  bool open = true;
  bool capped = false;
  bool sync_only = false;
  bool detachable = false;
};
constexpr int kOfCaller = 0;
constexpr int kOfHolder = -1;

/// Does random things to an Ownership, and the same to a list of tensors and a list of scopes.
class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed) {}

  void step() {
    switch (random_.below(23)) {
      case 0:
      case 1:
      case 2: make(); break;
      case 3: with_tensor([&](ModelTensor& x) { share(x, current_); }); break;
      case 4: with_tensor([&](ModelTensor& x) { dispose(x); }); break;
      case 5: keep(); break;
      case 6: with_tensor([&](ModelTensor& x) { adopt(x, random_.below(2) == 0); }); break;
      case 7: assign(); break;
      case 8: open(true); break;
      case 9: open(false); break;
      case 10: enter(); break;
      case 17: leave(); break;
      case 18: set_current(); break;
      case 19: with_scope([&](int scope) { end(scope); }); break;
      case 11: with_scope([&](int scope) { close(scope); }); break;
      case 12: move([&](Handle x, ScopeId scope) { real_.move_to_parent(x, scope); }, false); break;
      case 13: move([&](Handle x, ScopeId scope) { real_.move_past_capped(x, scope); }, true); break;
      case 14: attach(); break;
      case 15: borrow(); break;
      case 20: compute(); break;
      case 22: real_.rebuild(); break;
      case 21: differentiate(); break;
      default: cap(); break;
    }
    compare();
  }

  /// Frees all, and checks that nothing is left.
  void end() {
    for (std::size_t i = 1; i < scopes_.size(); ++i) close(static_cast<int>(i));
    while (!entered_.empty()) leave();
    for (ModelTensor& x : tensors_) dispose(x);
    compare();
    REQUIRE(real_.handles().size() == 0);
  }

 private:
  ModelScope& at(int scope) { return scopes_[static_cast<std::size_t>(scope)]; }
  bool is_inside(int inner, int scope) {
    while (inner != scope && inner > kOfCaller) inner = at(inner).parent;
    return inner == scope;
  }

  template <class F>
  void with_tensor(F f) {
    if (!tensors_.empty()) f(tensors_[random_.below(tensors_.size())]);
  }
  template <class F>
  void with_scope(F f) {
    if (scopes_.size() > 1) f(static_cast<int>(1 + random_.below(scopes_.size() - 1)));
  }
  /// Calls f, which must throw unless it may succeed; gives whether it did.
  template <class F>
  bool expect(bool may, F f) {
    bool did = true;
    try {
      f();
    } catch (const Error&) {
      did = false;
    }
    REQUIRE(did == may);
    return did;
  }

  void make() {
    const auto size = static_cast<std::int32_t>(1 + random_.below(8));
    Handle handle = 0;
    const auto add = [&] { handle = real_.add(Tensor(TensorSpec{{size}, DType::kFloat32})); };
    if (expect(!at(current_).capped, add)) {
      tensors_.push_back({handle, buffers_++, static_cast<std::size_t>(size) * 4, current_});
    }
  }
  void share(const ModelTensor& x, int owner) {
    const ModelTensor from = x;
    Handle handle = 0;
    const auto add = [&] { handle = real_.add(real_.get(from.handle).with_shape({1, element_size(from)})); };
    if (expect(from.alive && !at(owner).capped, add)) {
      tensors_.push_back({handle, from.buffer, from.bytes, owner});
    }
  }
  static std::int32_t element_size(const ModelTensor& x) { return static_cast<std::int32_t>(x.bytes / 4); }
  static void give(ModelTensor& x, int owner) {
    x.owner = owner;
    x.borrowed = false;
  }
  void add(const Tensor& made, std::size_t bytes) {
    Handle handle = 0;
    if (expect(!at(current_).capped, [&] { handle = real_.add(made); })) {
      tensors_.push_back({handle, buffers_++, bytes, current_});
    }
  }
  void compute() {
    with_tensor([&](const ModelTensor& x) {
      const std::size_t bytes = x.bytes;
      if (x.alive) add(exp(real_.get(x.handle)), bytes);
    });
  }
  /// The gradient of a function that does some steps first, and then throws or leads from x to a number.
  void differentiate() {
    if (tensors_.empty() || tapes_ == 3) return;
    const ModelTensor x = tensors_[random_.below(tensors_.size())];
    if (!x.alive) return;
    const bool throws = random_.below(3) == 0;
    const std::size_t steps = random_.below(5);
    Gradients found;
    ++tapes_;
    const bool did = expect(!throws, [&] {
      const auto f = [&](const Tensors& xs) {
        for (std::size_t i = 0; i < steps; ++i) step();
        const Tensor y = sum(mul(xs[0], exp(xs[0])));
        check(!throws, "thrown by the program");
        return y;
      };
      found = value_and_gradients(f, {real_.get(x.handle)});
    });
    --tapes_;
    if (did) add(found.gradients[0], x.bytes);
  }
  void dispose(ModelTensor& x) {
    REQUIRE(real_.dispose(x.handle) == x.alive);
    x.alive = false;
  }
  void keep() {
    with_tensor([&](ModelTensor& x) {
      real_.keep(x.handle);
      if (x.alive && x.owner != kOfHolder) give(x, kOfCaller);
    });
  }
  void adopt(ModelTensor& x, bool shared) {
    Handle handle = 0;
    if (!expect(x.alive, [&] { handle = real_.adopt(x.handle, shared); })) return;
    REQUIRE((handle == x.handle) == (!shared && x.owner != kOfHolder));
    if (handle == x.handle) {
      give(x, kOfHolder);
    } else {
      tensors_.push_back({handle, x.buffer, x.bytes, kOfHolder});
    }
  }
  void assign() {
    with_tensor([&](ModelTensor& to) {
      const ModelTensor& from = tensors_[random_.below(tensors_.size())];
      if (!to.alive || !from.alive) return;
      real_.assign(to.handle, real_.get(from.handle));
      to.buffer = from.buffer;
      to.bytes = from.bytes;
    });
  }

  void open(bool enters) {
    const bool detachable = !enters && random_.below(2) == 0;
    const ScopeId id =
        enters ? real_.open_scope("open") : real_.make_scope(at(current_).id, "made", detachable);
    scopes_.push_back({.id = id, .parent = current_, .sync_only = enters, .detachable = detachable});
    if (enters) current_ = static_cast<int>(scopes_.size()) - 1;
  }
  void enter() {
    with_scope([&](int scope) {
      ScopeId previous = 0;
      if (!expect(at(scope).open, [&] { previous = real_.enter(at(scope).id); })) return;
      entered_.push_back({previous, current_});
      current_ = scope;
    });
  }
  void leave() {
    if (entered_.empty()) return;
    const auto [id, previous] = entered_.back();
    entered_.pop_back();
    real_.leave(id);
    current_ = nearest_open(previous);
  }
  void set_current() {
    with_scope([&](int scope) {
      real_.set_current(at(scope).id);
      current_ = at(scope).open ? scope : kOfCaller;
    });
  }
  int nearest_open(int scope) {
    while (!at(scope).open) scope = at(scope).parent;
    return scope;
  }
  int lasting_scope() {
    int lasting = current_;
    for (int scope = current_; scope != kOfCaller; scope = at(scope).parent) {
      if (at(scope).sync_only) lasting = at(scope).parent;
    }
    return lasting;
  }
  void close(int scope) {
    real_.close_scope(at(scope).id);
    close_model(scope);
  }
  void end(int scope) {
    real_.end_scope(at(scope).id);
    if (!at(scope).open) return;
    const auto count = static_cast<int>(scopes_.size());
    for (int i = 1; i < count; ++i) {
      if (at(i).open && at(i).detachable && at(i).parent == scope) at(i).parent = at(scope).parent;
    }
    close_model(scope);
  }
  void close_model(int scope) {
    if (!at(scope).open) return;
    if (is_inside(current_, scope)) current_ = at(scope).parent;
    for (ModelTensor& x : tensors_) {
      if (x.owner != kOfHolder && is_inside(x.owner, scope)) x.alive = false;
    }
    std::vector<int> closing;
    for (int i = 1; i < static_cast<int>(scopes_.size()); ++i) {
      if (at(i).open && is_inside(i, scope)) closing.push_back(i);
    }
    for (const int i : closing) {
      at(i).open = false;
      at(i).parent = at(scope).parent;  // where those go that come back to it
    }
  }
  /// move_to_parent() or, past capped scopes, move_past_capped(), which wants an open scope.
  template <class F>
  void move(F call, bool passes) {
    with_scope([&](int scope) {
      with_tensor([&](ModelTensor& x) {
        const bool is_open = at(scope).open;
        int to = at(scope).parent;
        while (passes && at(to).capped) to = at(to).parent;
        const bool moves = is_open && x.alive && x.owner > kOfCaller && is_inside(x.owner, scope);
        const bool may = passes ? is_open && !(moves && at(to).capped) : !(moves && at(to).capped);
        const bool did = expect(may, [&] { call(x.handle, at(scope).id); });
        if (did && moves) give(x, to);
      });
    });
  }
  void attach() {
    with_scope([&](int scope) {
      with_tensor([&](ModelTensor& x) {
        if (!x.alive) return;
        const bool moves = x.owner != kOfHolder && x.owner != scope;
        const bool may = at(scope).open && !(moves && at(scope).capped);
        if (expect(may, [&] { real_.attach(x.handle, at(scope).id); }) && moves) give(x, scope);
      });
    });
  }
  void borrow() {
    with_scope([&](int scope) {
      with_tensor([&](const ModelTensor& x) {
        const ModelTensor from = x;
        Handle handle = 0;
        const bool may = from.alive && at(scope).open && !at(scope).capped;
        if (expect(may, [&] { handle = real_.borrow(from.handle, at(scope).id); })) {
          tensors_.push_back({handle, from.buffer, from.bytes, scope, true, true});
        }
      });
    });
  }
  void cap() {
    with_scope([&](int scope) {
      if (expect(at(scope).open, [&] { real_.cap(at(scope).id); })) at(scope).capped = true;
    });
  }

  void compare() {
    std::size_t count = 0;
    std::size_t bytes = 0;
    std::size_t owned = 0;
    std::set<int> buffers;
    for (const ModelTensor& x : tensors_) {
      if (real_.alive(x.handle) != x.alive) FAIL("a tensor is alive, or is not, against the model");
      if (!x.alive) continue;
      ++count;
      bytes += x.bytes;
      buffers.insert(x.buffer);
      if (x.owner != kOfHolder) ++owned;
    }
    const auto is_open = [](const ModelScope& scope) { return scope.open; };
    const auto open = static_cast<std::size_t>(std::count_if(scopes_.begin() + 1, scopes_.end(), is_open));
    REQUIRE(real_.handles().size() == count);
    REQUIRE(real_.handles().bytes() == bytes);
    REQUIRE(real_.handles().buffers() == buffers.size());
    REQUIRE(real_.totals(0).tensors == owned);
    REQUIRE(real_.open_scopes() == open);
    REQUIRE(real_.current_scope() == at(current_).id);
    REQUIRE(real_.lasting_scope() == at(lasting_scope()).id);
    if (current_ != kOfCaller) compare_current();
  }

  /// What the current scope owns, and how much of it is not borrowed.
  void compare_current() {
    std::size_t owned = 0;
    std::size_t lent = 0;
    for (const ModelTensor& x : tensors_) {
      if (x.alive && x.owner != kOfHolder && is_inside(x.owner, current_)) ++(x.borrowed ? lent : owned);
    }
    std::size_t scanned = 0;
    real_.scan(real_.current_scope(), 1, [&](Handle, const Tensor&) { return ++scanned > 0; });
    REQUIRE(scanned == owned);
    REQUIRE(real_.totals(real_.current_scope()).tensors == owned + lent);
  }

  Random random_;
  Ownership real_;
  std::vector<ModelTensor> tensors_;
  std::vector<ModelScope> scopes_{{.id = 0, .parent = kOfCaller}};  // the first is the caller
  std::vector<std::pair<ScopeId, int>> entered_;  // what enter() gave, and the same in the model
  int current_ = kOfCaller;
  int buffers_ = 0;
  int tapes_ = 0;
};

}  // namespace

TEST_CASE("ten thousand random programs end where a model of ownership does", "[owner][random]") {
  const std::size_t before = allocator_stats().live;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    INFO("seed " << seed);
    Program program(seed);
    for (int step = 0; step < 30; ++step) program.step();
    program.end();
  }
  CHECK(allocator_stats().live == before);
}
