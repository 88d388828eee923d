#pragma once

#include <cstddef>

namespace tenure {

/// Allocates memory from the platform, to be freed by std::free(). Returns null if there is none. `bytes`
/// must be a multiple of the alignment. In WebAssembly the last memory is reserved for messages, containers
/// and handles.
void* system_allocate(std::size_t alignment, std::size_t bytes);

/// True if the platform's allocator is in a consistent state. Walks its blocks and free lists only if a raw
/// call was interrupted inside it.
bool is_system_memory_whole();

}  // namespace tenure
