#pragma once

#include <vector>

#include "core/run/tape.h"

namespace tenure {

/// The stack of open tapes, exposed so that dispatch can check it quickly.
struct OpenTapes {
  std::vector<Tape*> stack;
  std::size_t hidden = 0;  ///< number of tapes at the bottom that do not record
  bool recording = false;  ///< true if a tape records
};
OpenTapes& open_tapes();

/// Records the op on the open tapes that watch one of its inputs, and numbers the output if there is one.
void record_on_tapes(Op op, Inputs in, AttrsView attrs, Tensor& out);

}  // namespace tenure
