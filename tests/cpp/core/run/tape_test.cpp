#include "core/run/tape.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "ops/ops.h"

namespace tenure {
namespace {

TEST_CASE("A tape records what follows from watched tensors, and nothing else", "[tape]") {
  Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  const Tensor other = Tensor::from({3.0F, 4.0F}, {2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(tape);
  CHECK(neg(other).value() == 0);
  CHECK(tape.entries().empty());
  const Tensor y = mul(x, other);
  const Tensor z = reshape(y, {{1, 2}});
  REQUIRE(tape.entries().size() == 2);
  CHECK(tape.entries()[0].op == Op::mul);
  CHECK(tape.entries()[0].inputs == std::vector<TraceId>{x.value(), 0});
  CHECK(tape.entries()[0].output.value() == y.value());
  CHECK(tape.entries()[1].inputs == std::vector<TraceId>{y.value()});
  CHECK(tape.entries()[1].output.shape() == z.shape());
  CHECK(z.value() != y.value());
}

TEST_CASE("A tape keeps attributes", "[tape]") {
  Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(tape);
  slice(x, {{1}, {1}});
  const auto attrs = AttrsView(std::span<const std::int32_t>(tape.entries().at(0).attrs)).as<SliceAttrs>();
  CHECK(attrs.begin == Dims{1});
  CHECK(attrs.size == Dims{1});
}

TEST_CASE("A tape keeps the data that the op's row names, and no other", "[tape]") {
  Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(tape);
  add(x, x);
  exp(x);
  sin(x);
  where(greater(x, x), x, x);
  const auto kept = [&](std::size_t i) {
    std::vector<bool> data;
    for (const Tensor& input : tape.entries().at(i).saved) data.push_back(input.has_data());
    data.push_back(tape.entries().at(i).output.has_data());
    return data;
  };
  CHECK(kept(0) == std::vector<bool>{false, false, false});
  CHECK(kept(1) == std::vector<bool>{false, true});
  CHECK(kept(2) == std::vector<bool>{true, false});
  CHECK(kept(4) == std::vector<bool>{true, false, false, false});
}

TEST_CASE("Watching twice keeps the number; two tapes never give the same", "[tape]") {
  Tensor x = Tensor::scalar(1.0F);
  Tensor y = Tensor::scalar(2.0F);
  Tape outer;
  Tape inner;
  outer.watch(x);
  const TraceId number = x.value();
  outer.watch(x);
  inner.watch(x);
  inner.watch(y);
  CHECK(x.value() == number);
  CHECK(y.value() != number);
  CHECK(outer.values() == 1);
  CHECK(inner.find(y.value()) == 1);
  CHECK(outer.find(y.value()) == -1);
}

TEST_CASE("All open tapes record, each what it knows", "[tape]") {
  Tensor x = Tensor::scalar(1.0F);
  Tensor y = Tensor::scalar(2.0F);
  Tape outer;
  Tape inner;
  outer.watch(x);
  inner.watch(y);
  const TapeGuard first(outer);
  {
    const TapeGuard second(inner);
    neg(x);
    neg(y);
    mul(x, y);
    CHECK(outer.entries().size() == 2);
    CHECK(inner.entries().size() == 2);
    const std::size_t paused = pause_tapes();
    mul(x, y);
    resume_tapes(paused);
  }
  mul(x, y);
  CHECK(outer.entries().size() == 3);
  CHECK(inner.entries().size() == 2);
}

TEST_CASE("An activation that is watched runs by itself", "[tape]") {
  Tensor x = Tensor::from({1.0F, -2.0F}, {1, 2});
  const Tensor w = Tensor::from({1.0F, 0.0F, 0.0F, 1.0F}, {2, 2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(tape);
  const Tensor y = mat_mul(x, w, {.activation = Activation::kRelu});
  CHECK(y.data<float>()[1] == 0);
  REQUIRE(tape.entries().size() == 2);
  CHECK(tape.entries()[1].op == Op::relu);
}

TEST_CASE("What tapes keep is counted once, and gone with them, whatever was thrown", "[tape]") {
  const std::size_t before = allocator_stats().blocks;
  const auto tape_bytes = [] {
    MemoryReport report;
    add_tracked_memory(report);
    report.finalize();
    return report.bytes(MemoryPart::kTape);
  };
  const auto fail_under_a_tape = [&] {
    Tensor x = Tensor::from({1.0F, 2.0F}, {2});
    Tape tape;
    tape.watch(x);
    const TapeGuard guard(tape);
    neg(x);
    CHECK(tape_bytes() == 0);
    exp(x);
    const std::size_t bytes = tape_bytes();
    CHECK(bytes > 0);
    square(x);
    CHECK(tape_bytes() == 2 * bytes);
    sin(x);
    CHECK(tape_bytes() == 2 * bytes);
    reshape(x, {{3}});
  };
  CHECK_THROWS_AS(fail_under_a_tape(), Error);
  CHECK(allocator_stats().blocks == before);
  Tensor x = Tensor::scalar(1.0F);
  CHECK_FALSE(recorded({&x}));
}

}  // namespace
}  // namespace tenure
