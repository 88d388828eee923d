#include "core/attrs.h"

namespace tenure {

void AttrsView::fail_count(std::size_t expected) const {
  fail("expected ", expected, " words of attributes, got ", words_.size());
}

}  // namespace tenure
