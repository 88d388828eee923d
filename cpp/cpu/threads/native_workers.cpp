#include <algorithm>
#include <thread>
#include <vector>

#include "cpu/threads/parallel.h"

namespace tenure::threads::workers {
namespace {

class ThreadPool {
 public:
  ~ThreadPool() { end(); }
  void resize(std::size_t size) {
    end();
    for (std::size_t i = 0; i < size; ++i) threads_.emplace_back(run, generation(), static_cast<int>(i));
    while (static_cast<std::size_t>(ready()) < size) std::this_thread::yield();
  }

 private:
  void end() {
    stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::vector<std::thread> threads_;
};

}  // namespace

void set_thread_count(int count) {
  static ThreadPool pool;
  pool.resize(static_cast<std::size_t>(std::clamp(count, 1, kMaxThreads) - 1));
}

}  // namespace tenure::threads::workers
