#include "core/memory/allocator.h"
#include "core/memory/transfer_stats.h"
#include "core/run/dispatch.h"
#include "gl/fixture.h"
#include "ops/ops.h"
#include "owner/profile.h"

namespace tenure::gl {

TEST_CASE("Small work on the CPU's values stays on the CPU", "[gl][placement]") {
  const GlFixture gl;
  const TransferStats before = total_transfer_stats();
  const Tensor x = random_values({8, 8});
  const Tensor y = relu(add(x, x));
  CHECK(y.storage()->on_cpu());
  CHECK(y.storage()->device() == nullptr);
  CHECK(total_transfer_stats().uploads == before.uploads);
}

TEST_CASE("Large work goes to the GPU, and what follows stays there", "[gl][placement]") {
  const GlFixture gl;
  const Tensor x = random_values({256, 256});
  const TransferStats before = total_transfer_stats();
  const std::size_t before_add = get_transfer_stats(Op::add).uploads;
  const Tensor y = exp(add(x, x));
  CHECK(y.storage()->only_on_device());
  CHECK(total_transfer_stats().uploads == before.uploads + 1);
  CHECK(total_transfer_stats().downloads == before.downloads);
  CHECK(get_transfer_stats(Op::add).uploads == before_add + 1);
  y.data<float>();
  CHECK(total_transfer_stats().downloads == before.downloads + 1);
}

TEST_CASE("Small work on the GPU's values stays on the GPU", "[gl][placement]") {
  const GlFixture gl;
  const std::size_t before = total_transfer_stats().downloads;
  const Tensor y = sqrt(square(on_device(random_values({3}))));
  CHECK(y.storage()->only_on_device());
  CHECK(total_transfer_stats().downloads == before);
}

TEST_CASE("A device slower than the CPU is asked for no transposition of the CPU's values",
          "[gl][placement]") {
  const GlFixture gl;
  const TuningGuard slow(Tuning::software());
  const Tensor x = random_values({200, 300});
  const PermutationAttrs attrs{.perm = {1, 0}};
  const AttrsView swapped(attrs);
  const std::size_t before = total_transfer_stats().uploads;
  CHECK(run(Op::transpose, {&x}, swapped).storage()->on_cpu());
  CHECK(total_transfer_stats().uploads == before);
  const Tensor there = on_device(x);
  CHECK(run(Op::transpose, {&there}, swapped).storage()->only_on_device());
  set_min_elements_for_device(0);
  const Tensor drawn = run(Op::transpose, {&x}, swapped);
  set_min_elements_for_device(std::nullopt);
  CHECK(drawn.storage()->only_on_device());
}

TEST_CASE("An op without a GL kernel fetches its inputs, and is counted", "[gl][placement]") {
  const GlFixture gl;
  const TransferStats before = get_transfer_stats(Op::random_normal);
  RandomAttrs attrs;
  attrs.shape = {100, 100};
  const Tensor x = random_normal(attrs);
  CHECK(x.storage()->on_cpu());
  CHECK(get_transfer_stats(Op::random_normal).fallbacks == before.fallbacks + 1);
}

TEST_CASE("A profile tells what each kernel fetched, and which had to fall back",
          "[gl][placement][profile]") {
  const GlFixture gl;
  const Tensor x = random_values({256, 256});
  Profile profile;
  exp(add(x, x));
  RandomAttrs attrs;
  attrs.shape = {100, 100};
  random_normal(attrs);
  std::vector<std::vector<std::int32_t>> transfer_stats;
  const std::vector<std::int32_t>& words = profile.take();
  for (std::size_t at = 0; at < words.size();) {
    transfer_stats.emplace_back(&words[at + kUploads], &words[at + kFirstDispatch]);
    std::int32_t shapes = words[at + kShapes];
    for (at += kProfileFields; shapes > 0; --shapes) at += 1 + static_cast<std::size_t>(words[at]);
  }
  const std::int32_t bytes = 4 * 256 * 256;
  CHECK(transfer_stats ==
        std::vector<std::vector<std::int32_t>>{{1, 0, bytes, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}});
}

TEST_CASE("A chain of ops leaves nothing behind", "[gl][placement]") {
  const GlFixture gl;
  const AllocatorStats before = allocator_stats();
  {
    Tensor x = random_values({100, 100});
    for (int i = 0; i < 20; ++i) x = tanh(add(x, x));
    x.data<float>();
  }
  CHECK(allocator_stats().blocks == before.blocks);
  CHECK(allocator_stats().live == before.live);
  CHECK(Context::current()->textures().stats().used == 0);
  CHECK(Context::current()->textures().stats().used_bytes == 0);
}

}  // namespace tenure::gl
