#include "owner/profile.h"

#include "catch.h"
#include "core/run/dispatch.h"
#include "owner/ownership.h"

using namespace tenure;

namespace {

using Words = std::vector<std::int32_t>;

/// An entry's words, but for the time.
Words timeless(const Words& words, std::size_t at, std::size_t count) {
  Words entry(words.begin() + static_cast<std::ptrdiff_t>(at),
              words.begin() + static_cast<std::ptrdiff_t>(at + count));
  CHECK(entry[1] >= 0);
  entry[1] = 0;
  return entry;
}

void fails(const KernelArgs&) { fail("the kernel cannot go on"); }

}  // namespace

TEST_CASE("a profile tells of each kernel, its shapes and bytes", "[profile]") {
  const Tensor matrix = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2});
  const Tensor vector = Tensor::from({1.0F, 2.0F}, {2});
  const auto alive = static_cast<std::int32_t>(ownership().handles().size());
  const auto bytes = static_cast<std::int32_t>(ownership().handles().bytes());
  Profile profile;
  run(Op::add, {&matrix, &vector});
  const ToShapeAttrs attrs{{4}};
  run(Op::reshape, {&matrix}, AttrsView(attrs));
  const Words words = profile.take();
  REQUIRE(words.size() == 20 + 17);
  const auto op = [](Op which) { return static_cast<std::int32_t>(which); };
  CHECK(timeless(words, 0, 20) ==
        Words{op(Op::add), 0, 16, alive + 1, bytes + 16, 0, 0, 0, 0, 0, 0, 3, 2, 2, 2, 1, 2, 2, 2, 2});
  CHECK(timeless(words, 20, 17) ==
        Words{op(Op::reshape), 0, 16, alive + 1, bytes + 16, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 1, 4});
  CHECK(profile.take().empty());
}

TEST_CASE("a kernel that throws is not told of, and nothing is once the profile is closed", "[profile]") {
  const Tensor vector = Tensor::from({1.0F, 2.0F}, {2});
  Backend broken = cpu_backend();
  broken.kernels[static_cast<std::size_t>(Op::add)] = fails;
  {
    const BackendGuard guard(broken);
    Profile profile;
    CHECK_THROWS_WITH(run(Op::add, {&vector, &vector}), "[add] the kernel cannot go on");
    CHECK(profile.take().empty());
  }
  CHECK(run(Op::neg, {&vector}).values<float>()[1] == -2.0F);
}
