#include "stub/device.h"

#include <cmath>

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/transfer_stats.h"
#include "core/run/backend_registry.h"
#include "core/run/dispatch.h"
#include "model/plan/session.h"
#include "model/trace.h"
#include "ops/cases/device_checks.h"
#include "owner/memory_summary.h"
#include "stub/backend.h"

namespace tenure::stub {
namespace {

/// Scope: ops run on a device that was just started. Checks at the end that all memory is freed, the device's
/// and the CPU's.
class StubFixture {
 public:
  StubFixture() {
    register_backend(stub::backend());
    device().start();
    set_backend(*find_backend("stub"));
  }
  ~StubFixture() {
    set_backend(cpu_backend());
    CHECK(device().memory().used == 0);
    CHECK(allocator_stats().live == live_);
    device().lose();
  }
  StubFixture(const StubFixture&) = delete;
  StubFixture& operator=(const StubFixture&) = delete;

 private:
  std::size_t live_ = allocator_stats().live;
};

Tensor ones(std::int32_t count) {
  Tensor x(TensorSpec{{count}, DType::kFloat32});
  std::fill_n(x.mutable_data<float>(), count, 1.0F);
  return x;
}

}  // namespace

TEST_CASE("Ops give on any device what they give on the CPU", "[device][cases]") {
  const StubFixture stub;
  const cases::AllOnDevice device;
  cases::check_device_cases([](const cases::OpCase&) { return true; });
}

TEST_CASE("Gradients on any device are those of the CPU, twice over", "[device][cases][gradient]") {
  const StubFixture stub;
  const cases::AllOnDevice device;
  cases::check_device_gradients();
}

TEST_CASE("A backend is found by its name once it is registered", "[device]") {
  const StubFixture stub;
  register_backend(stub::backend());
  CHECK(find_backend("stub") == &stub::backend());
  CHECK(find_backend("cpu") == &cpu_backend());
  CHECK(find_backend("abacus") == nullptr);
}

TEST_CASE("A device's own threshold says what is worth sending to it", "[device]") {
  const StubFixture stub;
  CHECK(min_elements_for_device() == kMinElements);
  CHECK(neg(ones(kMinElements)).storage()->only_on_device());
  CHECK(neg(ones(kMinElements - 1)).storage()->on_cpu());
  CHECK(neg(ones(kMaxElements + 1)).storage()->on_cpu());
  set_min_elements_for_device(1000);
  CHECK(neg(ones(999)).storage()->on_cpu());
  set_min_elements_for_device(std::nullopt);
  CHECK(neg(ones(999)).storage()->only_on_device());
}

TEST_CASE("An op without a kernel on the device runs on the CPU, and is counted", "[device]") {
  const StubFixture stub;
  const std::size_t before = fallback_count();
  const Tensor y = sqrt(add(ones(100), ones(100)));
  CHECK(y.storage()->on_cpu());
  CHECK(y.data<float>()[0] == Catch::Approx(std::sqrt(2.0F)));
  CHECK(fallback_count() == before + 1);
}

TEST_CASE("A device without its values throws, and ops continue on the CPU", "[device]") {
  const StubFixture stub;
  const Tensor x = ones(100);
  const Tensor lost = exp(x);
  const unsigned generation = backend().generation();
  device().lose();
  CHECK(&usable_backend() == &cpu_backend());
  CHECK_THROWS_AS(lost.data<float>(), Error);
  CHECK_THROWS_AS(neg(lost), Error);
  CHECK(exp(x).storage()->on_cpu());
  device().start();
  CHECK(backend().generation() != generation);
  CHECK(&usable_backend() == &stub::backend());
  CHECK_THROWS_AS(lost.data<float>(), Error);
  CHECK(exp(x).storage()->only_on_device());
}

TEST_CASE("An asynchronous read is ready before data() is called", "[device]") {
  const StubFixture stub;
  const Tensor x = neg(ones(100));
  CHECK(x.storage()->is_read_ready());
  x.storage()->start_read();
  int polls = 1;
  while (!x.storage()->is_read_ready()) ++polls;
  CHECK(polls == StubMemory::kPolls);
  CHECK(x.data<float>()[99] == -1);
  CHECK(x.storage()->is_read_ready());
}

TEST_CASE("The report counts the memory of any device", "[device][memory]") {
  const StubFixture stub;
  Ownership owner;
  const std::size_t before = summarize_memory(owner).report.device_bytes();
  owner.add(neg(ones(100)));
  CHECK(summarize_memory(owner).report.device_bytes() == before + 100 * sizeof(double));
}

TEST_CASE("A device's own costs decide whether a graph runs on it", "[device][plan]") {
  const StubFixture stub;
  const auto chain = [](const Tensors& in) { return Tensors{neg(exp(add(in[0], in[0])))}; };
  CHECK(&choose_backend(test::trace({ones(100)}, chain)) == &cpu_backend());
  CHECK(&choose_backend(test::trace({ones(100'000)}, chain)) == &stub::backend());
}

TEST_CASE("A session plans for any device, and plans anew when it is lost", "[device][plan]") {
  const StubFixture stub;
  const Tensors inputs = {ones(100'000)};
  const auto f = [](const Tensors& in) { return Tensors{mul(sqrt(exp(in[0])), in[0])}; };
  Session session([&](std::span<const TensorSpec>) { return test::trace(inputs, f); });
  const float expected = std::sqrt(std::exp(1.0F));
  const Tensor first = session.run(inputs)[0];
  CHECK(first.storage()->only_on_device());
  CHECK(first.data<float>()[7] == Catch::Approx(expected));
  device().lose();
  CHECK(session.run(inputs)[0].storage()->on_cpu());
  device().start();
  CHECK(session.run(inputs)[0].data<float>()[7] == Catch::Approx(expected));
}

}  // namespace tenure::stub
