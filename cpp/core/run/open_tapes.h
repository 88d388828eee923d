#pragma once

#include <vector>

#include "core/run/tape.h"

namespace tenure {

/// The stack of tapes, for dispatch to ask quickly.
struct OpenTapes {
  std::vector<Tape*> stack;
  std::size_t hidden = 0;  ///< so many at the bottom do not record
  bool recording = false;
};
OpenTapes& open_tapes();

/// Tells every open tape that knows an input; numbers the output when one does.
void record_on_tapes(Op op, Inputs in, AttrsView attrs, Tensor& out);

}  // namespace tenure
