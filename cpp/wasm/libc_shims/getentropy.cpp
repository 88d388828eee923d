// getentropy() for shared memory, which crypto.getRandomValues() cannot fill in browsers. The C library's own
// implementation passes it directly.

#include <emscripten/em_js.h>

#include <cstddef>

// clang-format off
EM_JS(void, fill_randomly, (void* bytes, std::size_t size), {
  HEAPU8.set(crypto.getRandomValues(new Uint8Array(size)), bytes >>> 0);
})
// clang-format on

extern "C" int getentropy(void* bytes, std::size_t size) {
  fill_randomly(bytes, size);
  return 0;
}
