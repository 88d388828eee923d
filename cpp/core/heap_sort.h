#pragma once

#include <algorithm>
#include <functional>

namespace tenure {

/// Sorts a range in place. Heapsort is less code than std::sort, and all code is downloaded.
template <class Range, class Less = std::less<>>
void heap_sort(Range& range, Less less = {}) {
  std::make_heap(range.begin(), range.end(), less);
  std::sort_heap(range.begin(), range.end(), less);
}

}  // namespace tenure
