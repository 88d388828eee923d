#include "core/run/backend_registry.h"

#include <array>
#include <cassert>
#include <span>

namespace tenure {
namespace {

constexpr std::size_t kMaxBackends = 4;
constinit std::array<const Backend*, kMaxBackends> backends{};
constinit std::size_t backend_count = 0;

}  // namespace

void register_backend(const Backend& backend) {
  if (find_backend(backend.name)) return;
  assert(backend_count < kMaxBackends);
  backends[backend_count++] = &backend;
}

const Backend* find_backend(std::string_view name) {
  if (name == cpu_backend().name) return &cpu_backend();
  for (const Backend* backend : std::span(backends).first(backend_count)) {
    if (backend->name == name) return backend;
  }
  return nullptr;
}

}  // namespace tenure
