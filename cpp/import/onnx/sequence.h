#pragma once

#include "model/executor/row.h"

namespace tenure::onnx {

/// A list of tensors.
class Sequence final : public executor::Resource {
 public:
  static constexpr Kind kKind = Kind::kSequence;

  explicit Sequence(Tensors tensors = {}) : Resource(kKind), tensors(std::move(tensors)) {}

  Tensors tensors;
};

/// Returns a sequence as the value of an edge.
inline executor::EdgeValues to_edge_values(std::shared_ptr<Sequence> sequence) {
  return {executor::EdgeValue(std::shared_ptr<executor::Resource>(std::move(sequence)))};
}

}  // namespace tenure::onnx
