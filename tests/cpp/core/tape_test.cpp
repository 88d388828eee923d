#include "core/tape.h"

#include "catch.h"
#include "core/allocator.h"
#include "ops/ops.h"

namespace tenure {
namespace {

TEST_CASE("A tape records what follows from watched tensors, and nothing else", "[tape]") {
  Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  const Tensor other = Tensor::from({3.0F, 4.0F}, {2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(&tape);
  neg(other);
  CHECK(tape.entries().empty());
  const Tensor y = mul(x, other);
  const Tensor z = reshape(y, {{1, 2}});
  REQUIRE(tape.entries().size() == 2);
  CHECK(tape.entries()[0].op == Op::mul);
  CHECK(tape.entries()[0].inputs[0].value() == x.value());
  CHECK(tape.entries()[0].inputs[1].value() == 0);
  CHECK(tape.entries()[0].output.value() == y.value());
  CHECK(tape.entries()[1].inputs[0].value() == y.value());
  CHECK(tape.entries()[1].output.shape() == z.shape());
  CHECK(z.value() != y.value());
}

TEST_CASE("A tape keeps attributes and missing inputs", "[tape]") {
  Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  Tape tape;
  tape.watch(x);
  const TapeGuard guard(&tape);
  slice({&x}, {{1}, {1}});
  const auto attrs = AttrsView(std::span<const std::int32_t>(tape.entries().at(0).attrs)).as<SliceAttrs>();
  CHECK(attrs.begin == Dims{1});
  CHECK(attrs.size == Dims{1});
}

TEST_CASE("Watching twice keeps the number; two tapes never give the same", "[tape]") {
  Tensor x = Tensor::scalar(1.0F);
  Tensor y = Tensor::scalar(2.0F);
  Tape outer;
  Tape inner;
  const std::uint32_t number = outer.watch(x);
  CHECK(outer.watch(x) == number);
  CHECK(inner.watch(x) == number);
  CHECK(inner.watch(y) != number);
}

TEST_CASE("Guards nest, and suspend recording", "[tape]") {
  Tape outer;
  Tape inner;
  CHECK(current_tape() == nullptr);
  {
    const TapeGuard first(&outer);
    {
      const TapeGuard second(&inner);
      CHECK(current_tape() == &inner);
      const TapeGuard none(nullptr);
      CHECK(current_tape() == nullptr);
    }
    CHECK(current_tape() == &outer);
  }
  CHECK(current_tape() == nullptr);
}

TEST_CASE("A tape lets go of its tensors, whatever was thrown", "[tape]") {
  const std::size_t before = allocator_stats().blocks;
  const auto fail_under_a_tape = [] {
    Tensor x = Tensor::from({1.0F, 2.0F}, {2});
    Tape tape;
    tape.watch(x);
    const TapeGuard guard(&tape);
    const Tensor y = neg(x);
    // The same buffer is counted once.
    CHECK(tape.bytes() == 16);
    reshape(y, {{2, 1}});
    CHECK(tape.bytes() == 16);
    reshape(y, {{3}});
  };
  CHECK_THROWS_AS(fail_under_a_tape(), Error);
  CHECK(current_tape() == nullptr);
  CHECK(allocator_stats().blocks == before);
}

}  // namespace
}  // namespace tenure
