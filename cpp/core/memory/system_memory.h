#pragma once

#include <cstddef>

namespace tenure {

/// Memory from the platform, null when it has none; `bytes` is a multiple of the alignment. To be freed with
/// std::free(). In WebAssembly the last of it is left to what keeps the books: messages, lists, handles.
void* system_allocate(std::size_t alignment, std::size_t bytes);

/// After a raw call that was cut short: walks the blocks and lists of the platform's allocator if the cut
/// fell inside it. False where they contradict each other.
bool is_system_memory_whole();

}  // namespace tenure
