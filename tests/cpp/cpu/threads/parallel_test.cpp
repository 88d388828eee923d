#include "cpu/threads/parallel.h"

#include <atomic>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/run/fault_injection.h"
#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using reference::noise;
using threads::parallel_for;

/// Sets the number of threads for the duration of a test.
class Threads {
 public:
  explicit Threads(int count) { threads::workers::set_thread_count(count); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { threads::workers::set_thread_count(1); }
};

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.spec() == b.spec() &&
         std::memcmp(a.data<std::byte>(), b.data<std::byte>(), a.elements() * sizeof(float)) == 0;
}

TEST_CASE("parallel_for gives out everything once, whatever the threads", "[parallel]") {
  const int threads = GENERATE(1, 2, 3, 8);
  const Threads team(threads);
  CHECK(threads::thread_count() == threads);
  for (const std::size_t count : {0, 1, 2, 63, 1000, 12345}) {
    for (const std::size_t grain : {1, 7, 1000}) {
      std::vector<int> met(count);
      std::vector<std::atomic<int>> in_slot(static_cast<std::size_t>(threads));
      // Catch2 supports assertions on one thread only.
      std::atomic<int> shared = 0;
      parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
        shared += in_slot[static_cast<std::size_t>(slot)].exchange(1);
        for (std::size_t i = begin; i < end; ++i) ++met[i];
        in_slot[static_cast<std::size_t>(slot)] = 0;
      });
      CHECK(shared == 0);
      CHECK(std::accumulate(met.begin(), met.end(), std::size_t{0}) == count);
      CHECK(std::count(met.begin(), met.end(), 1) == static_cast<std::ptrdiff_t>(count));
    }
  }
}

TEST_CASE("a loop throws when a worker of it is cut short, and the next one does without it", "[parallel]") {
  std::thread worker([generation = threads::workers::generation()] {
    try {
      threads::workers::run(generation, 0);
    } catch (int) {
      threads::workers::fail(0);
    }
  });
  while (threads::workers::ready() == 0) std::this_thread::yield();
  std::atomic<bool> came = false;
  const auto body = [&](std::size_t, std::size_t, int slot) {
    if (slot > 0) {
      came = true;
      throw 1;
    }
    while (!came) std::this_thread::yield();
  };
  CHECK_THROWS_WITH(parallel_for(1000, 1, 2, body),
                    "a thread of the engine failed, and what it computed is lost");
  worker.join();
  CHECK(threads::workers::ready() == 0);
  CHECK(threads::thread_count() == 1);
  parallel_for(1000, 1, 2, body);
}

/// Ends worker 0 in the middle of a loop without notice, as when its thread is killed.
template <class F>
void with_dead_worker(F f) {
  std::atomic<bool> came = false;
  bool died = false;
  const auto body = [&](std::size_t, std::size_t, int slot) {
    if (slot > 0) {
      came = true;
      throw 1;
    }
    while (!came) std::this_thread::yield();
  };
  std::thread worker([&died, generation = threads::workers::generation()] {
    try {
      threads::workers::run(generation, 0);
    } catch (int) {
      died = true;
    }
  });
  while (threads::workers::ready() == 0) std::this_thread::yield();
  f(body);
  worker.join();
  CHECK(died);
  threads::workers::on_absence(nullptr);
}

TEST_CASE("a loop asks for a worker that was killed in it, throws, and the next one does without it",
          "[parallel]") {
  static int asked = 0;
  asked = 0;
  threads::workers::on_absence([](bool is_overdue) {
    CHECK_FALSE(is_overdue);
    CHECK(threads::workers::is_at_work(0));
    if (++asked == 3) threads::workers::fail(0);
  });
  with_dead_worker([](const auto& body) {
    CHECK_THROWS_WITH(parallel_for(1000, 1, 2, body),
                      "a thread of the engine failed, and what it computed is lost");
    CHECK(asked == 3);
    CHECK(threads::thread_count() == 1);
    parallel_for(1000, 1, 2, body);
    CHECK(threads::workers::stop());
  });
}

TEST_CASE("what waits for workers that were killed ends, also where nobody knows that they were",
          "[parallel]") {
  static bool was_overdue = false;
  was_overdue = false;
  threads::workers::on_absence([](bool is_overdue) {
    was_overdue |= is_overdue;
    if (is_overdue) threads::workers::fail(0);
  });
  with_dead_worker([](const auto& body) {
    CHECK_THROWS(parallel_for(1000, 1, 2, body));
    CHECK(was_overdue);
    CHECK(threads::workers::ready() == 0);
    CHECK_FALSE(threads::workers::takes_part(0));
    CHECK(threads::workers::stop());
  });
}

TEST_CASE("a loop inside a loop runs on the thread that it is in", "[parallel]") {
  const Threads team(3);
  std::atomic<int> calls = 0;
  std::atomic<std::size_t> sum = 0;
  parallel_for(64, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      parallel_for(1000, 1, [&](std::size_t from, std::size_t to) {
        ++calls;
        sum += to - from;
      });
    }
  });
  CHECK(calls == 64);
  CHECK(sum == 64 * 1000);
  CHECK(threads::thread_count() == 3);
}

TEST_CASE("workers come, end and come again", "[parallel]") {
  for (int i = 0; i < 20; ++i) {
    const Threads team(i % 4 + 1);
    std::atomic<std::size_t> sum = 0;
    for (int k = 0; k < 50; ++k) {
      parallel_for(100, 1, [&](std::size_t begin, std::size_t end) { sum += end - begin; });
    }
    CHECK(sum == 5000);
  }
}

TEST_CASE("loops that have no workers ask for them, once, when they took as long as they were told",
          "[parallel]") {
  static int asked = 0;
  asked = 0;
  const auto ask = [] { ++asked; };
  const auto take = [](double milliseconds) {
    return [=](std::size_t /*begin*/, std::size_t /*end*/) {
      for (const double start = microseconds(); microseconds() - start < milliseconds * 1e3;) {
      }
    };
  };
  threads::workers::on_demand(ask, 0);
  parallel_for(10, 10, take(1));
  CHECK(asked == 0);
  parallel_for(11, 10, take(0));
  parallel_for(11, 10, take(0));
  CHECK(asked == 1);
  threads::workers::on_demand(ask, 5);
  parallel_for(10, 10, take(6));
  CHECK(asked == 1);
  parallel_for(11, 10, take(4));
  parallel_for(11, 10, take(2));
  parallel_for(11, 10, take(2));
  CHECK(asked == 2);
  threads::workers::on_demand(nullptr, 0);
}

struct Kernel {
  std::string name;
  Tensor (*run)(std::uint32_t seed);
};

int from(std::uint32_t seed, int least, int most) {
  return least + static_cast<int>(seed * 2654435761U % static_cast<std::uint32_t>(most - least + 1));
}

TEST_CASE("kernels give the same on any number of threads", "[parallel]") {
  const Kernel kernels[] = {
      {"matMul",
       [](std::uint32_t seed) {
         const int depth = from(seed + 1, 60, 200);
         return mat_mul(noise({from(seed, 150, 300), depth}, seed),
                        noise({depth, from(seed + 2, 60, 190)}, 2));
       }},
      {"matMul of one row",
       [](std::uint32_t seed) {
         const int depth = from(seed + 1, 900, 1100);
         return mat_mul(noise({1, depth}, seed), noise({depth, from(seed + 2, 900, 1100)}, 2));
       }},
      {"matMul transposed",
       [](std::uint32_t seed) {
         const int depth = from(seed + 1, 60, 200);
         return mat_mul(noise({depth, from(seed, 150, 300)}, seed),
                        noise({from(seed + 2, 60, 190), depth}, 2), {}, {.transpose_a = 1, .transpose_b = 1});
       }},
      {"batches of matMul",
       [](std::uint32_t seed) {
         return mat_mul(noise({from(seed, 3, 9), 60, 70}, seed), noise({1, 70, 80}, 2));
       }},
      {"conv2d",
       [](std::uint32_t seed) {
         const int in = from(seed, 3, 24);
         const int window = from(seed + 1, 2, 5);
         return conv2d(noise({2, 31, 29, in}, seed), noise({window, 3, in, 24}, 2), noise({24}, 3),
                       {.padding = Padding::kSame, .activation = Activation::kRelu});
       }},
      {"conv2d of few pixels",
       [](std::uint32_t seed) {
         return conv2d(noise({1, 7, 7, 256}, seed), noise({3, 3, 256, 64}, 2), {},
                       {.padding = Padding::kSame});
       }},
      {"conv2d of points",
       [](std::uint32_t seed) {
         const int in = from(seed, 30, 90);
         return conv2d(noise({1, 28, 28, in}, seed), noise({1, 1, in, 70}, 2), {}, {});
       }},
      {"conv2d in groups",
       [](std::uint32_t seed) {
         return conv2d(noise({1, 33, 30, 24}, seed), noise({3, 3, 12, 48}, 2), {},
                       {.padding = Padding::kSame});
       }},
      {"depthwiseConv2d",
       [](std::uint32_t seed) {
         const int stride = from(seed, 1, 2);
         return depthwise_conv2d(noise({2, 50, 41, 32}, seed), noise({3, 3, 32, 1}, 2), noise({32}, 3),
                                 {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame});
       }},
      {"maxPool",
       [](std::uint32_t seed) {
         return max_pool(noise({3, 61, 50, 24}, seed),
                         {.window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 1});
       }},
      {"avgPool",
       [](std::uint32_t seed) {
         return avg_pool(noise({3, 61, 50, 24}, seed),
                         {.window_h = 2, .window_w = 5, .padding = Padding::kSame});
       }},
      {"softmax", [](std::uint32_t seed) { return softmax(noise({from(seed, 200, 700), 333}, seed)); }},
      {"logSoftmax",
       [](std::uint32_t seed) { return log_softmax(noise({from(seed, 200, 700), 333}, seed)); }},
      {"exp", [](std::uint32_t seed) { return exp(noise({from(seed, 300'000, 400'000)}, seed)); }},
      {"add",
       [](std::uint32_t seed) {
         const int size = from(seed, 300'000, 400'000);
         return add(noise({size}, seed), noise({size}, 2));
       }},
      {"add of a number",
       [](std::uint32_t seed) { return add(noise({from(seed, 300'000, 400'000)}, seed), noise({1}, 2)); }},
      {"mul of rows",
       [](std::uint32_t seed) { return mul(noise({from(seed, 500, 900), 600}, seed), noise({600}, 2)); }},
      {"sub of columns",
       [](std::uint32_t seed) {
         return sub(noise({from(seed, 500, 900), 600}, seed), noise({from(seed, 500, 900), 1}, 2));
       }},
      {"transpose",
       [](std::uint32_t seed) {
         return transpose(noise({from(seed, 600, 900), 501}, seed), {.perm = {1, 0}});
       }},
      {"transpose of the inner dimensions",
       [](std::uint32_t seed) {
         return transpose(noise({from(seed, 3, 9), 61, 10, 130}, seed), {.perm = {0, 3, 2, 1}});
       }},
      {"reverse of pixels",
       [](std::uint32_t seed) {
         return reverse(noise({2, 300, from(seed, 200, 300), from(seed + 1, 2, 5)}, seed), {.axes = {2}});
       }},
      {"resizeBilinear",
       [](std::uint32_t seed) {
         return resize_bilinear(noise({2, 61, 50, from(seed, 1, 9)}, seed),
                                {.height = from(seed + 1, 100, 300), .width = 211});
       }},
      {"resizeNearestNeighbor",
       [](std::uint32_t seed) {
         return resize_nearest_neighbor(noise({2, 61, 50, from(seed, 1, 9)}, seed),
                                        {.height = from(seed + 1, 100, 300), .width = 211});
       }},
      {"cropAndResize",
       [](std::uint32_t seed) {
         const Tensor boxes = Tensor::from({0.1F, 0.2F, 0.7F, 0.9F, 0.8F, 0.9F, -0.1F, 0.3F}, {2, 4});
         return crop_and_resize(noise({1, 61, 50, from(seed, 1, 5)}, seed), boxes, Tensor::from({0, 0}, {2}),
                                {.height = from(seed + 1, 90, 200), .width = 101});
       }},
      {"transform",
       [](std::uint32_t seed) {
         const Tensor how = Tensor::from({0.9F, 0.3F, 1.0F, -0.3F, 0.9F, 2.0F, 0.0F, 0.001F}, {1, 8});
         return transform(
             noise({2, 61, 50, from(seed, 1, 5)}, seed), how,
             {.height = from(seed + 1, 90, 200), .width = 101, .bilinear = from(seed, 0, 1) == 1});
       }},
      {"slice",
       [](std::uint32_t seed) {
         return slice(noise({700, 510}, seed), {.begin = {3, 5}, .size = {from(seed, 600, 690), 500}});
       }},
      {"sum of rows",
       [](std::uint32_t seed) { return sum(noise({from(seed, 600, 900), 501}, seed), {.axes = {1}}); }},
      {"sum of short rows",
       [](std::uint32_t seed) { return sum(noise({from(seed, 9000, 9900), 50}, seed), {.axes = {1}}); }},
      {"mean of columns",
       [](std::uint32_t seed) { return mean(noise({100, from(seed, 3000, 5000)}, seed), {.axes = {0}}); }},
  };
  for (const Kernel& kernel : kernels) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
      INFO(kernel.name << ", seed " << seed);
      const Tensor expected = kernel.run(seed);
      for (const int threads : {2, 3}) {
        const Threads team(threads);
        CHECK(same_bytes(kernel.run(seed), expected));
      }
    }
  }
}

#ifdef TENURE_DEBUG
TEST_CASE("a kernel that finds no memory before it forks leaves nothing behind", "[parallel]") {
  const Threads team(3);
  const Tensor x = noise({1, 31, 29, 16}, 1);
  const Tensor filter = noise({3, 3, 16, 24}, 2);
  const ConvAttrs attrs = {.padding = Padding::kSame};
  const Tensor expected = conv2d(x, filter, {}, attrs);
  const std::size_t live = allocator_stats().live;
  int failures = 0;
  for (int n = 0;; ++n) {
    fault_injection::fail_allocation(n);
    try {
      const Tensor out = conv2d(x, filter, {}, attrs);
      fault_injection::fail_allocation(-1);
      CHECK(same_bytes(out, expected));
      break;
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
      ++failures;
    }
    CHECK(allocator_stats().live == live);
  }
  CHECK(failures > 3);
}
#endif

}  // namespace
}  // namespace tenure
