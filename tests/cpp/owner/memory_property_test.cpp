// The parts of the memory summary add up to what is allocated, whatever a program has done so far.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "core/run/dispatch.h"
#include "core/run/lazy.h"
#include "core/run/tape.h"
#include "core/strings.h"
#include "model/models.h"
#include "ops/ops.h"
#include "owner/memory_summary.h"

using namespace tenure;

namespace {

constexpr std::size_t kMinLazyInTest = 64;
constexpr std::size_t kMaxHandles = 40;

/// Ops wait from few elements on, until the end of the block.
class LazyFromFewElements {
 public:
  LazyFromFewElements() { set_min_lazy_elements(kMinLazyInTest); }
  ~LazyFromFewElements() { set_min_lazy_elements(kMinLazyElements); }
  LazyFromFewElements(const LazyFromFewElements&) = delete;
  LazyFromFewElements& operator=(const LazyFromFewElements&) = delete;
};

/// A program of random steps over tensors of an Ownership.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed), elsewhere_(summarize_memory(owner_).scratch()) {}

  void step() {
    switch (below(15)) {
      case 0: add(test::random_values({random_extent()}, below(100))); break;
      case 1: add(test::random_values({random_extent(), 7}, below(100))); break;
      case 2: make_strings(); break;
      case 3: add_result([](const Tensor& x) { return neg(x); }); break;
      case 4: add_result([](const Tensor& x) { return relu(x); }); break;
      case 5: add_result([](const Tensor& x) { return mul(x, x); }); break;
      case 6: add_result([](const Tensor& x) { return add_scalar(x); }); break;
      case 7: add_result([](const Tensor& x) { return exp(x); }); break;
      case 8:
        add_result([](const Tensor& x) { return reshape(x, {{static_cast<int>(x.elements())}}); });
        break;
      case 9: add_chain(); break;
      case 10:
      case 11: dispose(); break;
      case 12: read(); break;
      case 13: toggle_tape(); break;
      case 14: owner_.add(string_moved()); break;
      default: break;
    }
    while (handles_.size() > kMaxHandles) dispose();
  }

  /// Without plans, whose arenas are working memory, the parts are all there is.
  void check_sum() const {
    const MemorySummary summary = summarize_memory(owner_);
    INFO("waiting " << lazy::count() << ", handles " << handles_.size());
    REQUIRE(summary.report.bytes() + elsewhere_ == summary.allocator.live);
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  std::int32_t random_extent() {
    static constexpr std::int32_t kExtents[] = {0, 1, 3, 63, 64, 65, 200, 1000, 4096, 4097, 9000};
    return kExtents[below(std::size(kExtents))];
  }
  static Tensor add_scalar(const Tensor& x) { return tenure::add(x, Tensor::scalar(1.5F)); }

  void add(const Tensor& tensor) { handles_.push_back(owner_.add(tensor)); }
  const Tensor& any() { return owner_.get(handles_[below(static_cast<unsigned>(handles_.size()))]); }
  template <class F>
  void add_result(F f) {
    if (handles_.empty()) return;
    const Tensor x = any();
    if (x.dtype() == DType::kFloat32) add(f(x));
  }
  /// Ops of which each reads the one before, whose handles are gone at once.
  void add_chain() {
    if (handles_.empty()) return;
    Tensor x = any();
    if (x.dtype() != DType::kFloat32) return;
    for (unsigned i = below(20); i > 0; --i)
      x = i % 3 == 0 ? add_scalar(x) : i % 3 == 1 ? relu(x) : mul(x, x);
    add(x);
  }
  void make_strings() {
    const std::string text(below(300), 'x');
    const std::vector<std::string_view> values(1 + below(9), text);
    add(make_string_tensor(values, {static_cast<std::int32_t>(values.size())}));
  }
  Tensor string_moved() {
    const std::vector<std::string_view> values = {"a", "bc", "def"};
    return reverse(make_string_tensor(values, {3}), {Shape{0}});
  }
  void dispose() {
    if (handles_.empty()) return;
    const unsigned at = below(static_cast<unsigned>(handles_.size()));
    owner_.dispose(handles_[at]);
    handles_.erase(handles_.begin() + at);
  }
  void read() {
    if (!handles_.empty()) any().storage()->data();
  }
  void toggle_tape() {
    if (tape_) {
      close_tape(*tape_);
      tape_.reset();
      return;
    }
    if (handles_.empty()) return;
    tape_ = std::make_unique<Tape>();
    Tensor watched = any();
    tape_->watch(watched);
    add(watched);
    open_tape(*tape_);
  }

  struct TapeEnd {
    std::unique_ptr<Tape>& tape;
    ~TapeEnd() {
      if (tape) close_tape(*tape);
    }
  };

  std::mt19937 random_;
  Ownership owner_;
  std::size_t elsewhere_;
  std::vector<Handle> handles_;
  std::unique_ptr<Tape> tape_;
  TapeEnd tape_end_{tape_};
};

/// A quantized weight, which stays in the form of its file.
const std::string kWeightSpecs =
    R"([{"name":"a/kernel","shape":[32,64],"dtype":"float32","quantization":{"dtype":"uint8","scale":0.01,"min":-1}},)"
    R"({"name":"a/bias","shape":[64],"dtype":"float32"}])";

LayersModel load_quantized() {
  const std::string topology = test::sequential(
      {test::layer("Dense", "a", R"("units":64,"activation":"relu","batch_input_shape":[null,32])")});
  constexpr std::size_t kBytes = 32 * 64 + 64 * 4;
  StoragePtr file = Storage::allocate(kBytes);
  std::fill_n(static_cast<std::byte*>(file->mutable_data()), kBytes, std::byte{0});
  return LayersModel::load(topology, kWeightSpecs, WeightData(std::move(file)));
}

void check_no_underflow(const Ownership& owner) {
  const MemorySummary summary = summarize_memory(owner);
  REQUIRE(summary.report.bytes() <= summary.allocator.live);
}

}  // namespace

TEST_CASE("The parts of the memory summary are all there is, after any steps", "[memory][lazy]") {
  const LazyFromFewElements lazy;
  const auto seed = GENERATE(Catch::Generators::range(1U, 41U));
  CAPTURE(seed);
  Program program(seed);
  for (int i = 0; i < 300; ++i) {
    program.step();
    program.check_sum();
  }
}

TEST_CASE("A deferred op on many elements leaves nothing unaccounted for", "[memory][lazy]") {
  Ownership owner;
  const std::size_t elsewhere = summarize_memory(owner).scratch();
  owner.add(mul(test::random_values({1 << 19}), Tensor::scalar(2.0F)));
  REQUIRE(lazy::count() == 1);
  CHECK(summarize_memory(owner).scratch() == elsewhere);
  CHECK(summarize_memory(owner).report.bytes(MemoryPart::kTensors) > std::size_t{1} << 21);
}

TEST_CASE("A model's output that shares its input's bytes is counted once", "[memory]") {
  Ownership owner;
  const std::string shapes = R"("target_shape":[50,2],"batch_input_shape":[null,100])";
  LayersModel model = test::load(test::sequential({test::layer("Reshape", "reshape", shapes)}));
  const Tensor input = test::random_values({100, 100});
  owner.add(input);
  owner.add(model.predict(Tensors{input}).at(0));
  check_no_underflow(owner);
}

TEST_CASE("Parts of an input that a model returns are counted once", "[memory]") {
  const Tensor input = test::random_values({100, 100});
  Ownership owner;
  const std::size_t elsewhere = summarize_memory(owner).scratch();
  owner.add(input);
  auto* rows = static_cast<std::byte*>(input.storage()->data()) + 400;
  const StoragePtr view = Storage::view(rows, 400, input.storage());
  owner.add(Tensor(view, {{1, 100}, DType::kFloat32}));
  CHECK(summarize_memory(owner).scratch() ==
        elsewhere - allocated_size(40'000 + Storage::kSlack) - allocated_size(sizeof(Storage)));
}

TEST_CASE("Weights in other forms and their plans are counted once", "[memory]") {
  Ownership owner;
  LayersModel model = load_quantized();
  check_no_underflow(owner);
  LayersModel shared = LayersModel::of(model.network());
  check_no_underflow(owner);
  for (const int batch : {1, 2, 100}) {
    owner.add(model.predict(Tensors{test::random_values({batch, 32})}).at(0));
    owner.add(shared.predict(Tensors{test::random_values({batch, 32})}).at(0));
    check_no_underflow(owner);
  }
  trim_memory();
  check_no_underflow(owner);
}
