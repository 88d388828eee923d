#pragma once

#include "model/executor/program.h"

namespace tenure::executor {

/// The source of a value at run time: an output of the plan, an input, or a constant.
struct Source {
  enum Kind : std::uint8_t { kNothing, kPlan, kInput, kKnown };
  Kind kind = kNothing;
  std::size_t index = 0;
  Tensor known;
};

/// The sources of a traced node's outputs, for the deferred nodes that read it.
struct DeferredInput {
  std::uint32_t node;
  std::vector<Source> outputs;
};

struct Program::Variant {
  Variant(const Program& program, std::vector<TensorSpec> input_specs, Tensors selecting)
      : specs(std::move(input_specs)),
        known(std::move(selecting)),
        session([this, &program](std::span<const TensorSpec>) {
          if (first) {
            Graph graph = std::move(*first);
            first.reset();
            return graph;
          }
          return program.trace(*this);
        }) {}

  std::vector<TensorSpec> specs;
  Tensors known;  ///< values of the inputs that select branches; none if it is for all values
  std::uint64_t runs = 0;
  bool is_worth_planning = true;  ///< for a single run
  std::size_t planned = 0;        ///< number of outputs of the plan
  std::vector<DeferredInput> given;
  Schedule deferred;
  std::vector<Source> outputs;  ///< of the program; kNothing for those of deferred nodes
  std::optional<Graph> first;   ///< from the first trace; consumed by the first plan
  Session session;
};

}  // namespace tenure::executor
