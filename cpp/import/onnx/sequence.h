#pragma once

#include "model/executor/containers.h"

namespace tenure::onnx {

using executor::Sequence;

/// Returns a sequence as the value of an edge.
inline executor::EdgeValues to_edge_values(std::shared_ptr<Sequence> sequence) {
  return {executor::EdgeValue(std::shared_ptr<executor::Resource>(std::move(sequence)))};
}

}  // namespace tenure::onnx
