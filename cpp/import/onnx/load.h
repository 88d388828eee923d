#pragma once

#include <string>
#include <utility>
#include <vector>

#include "import/onnx/tensors.h"
#include "model/executor/graph_model.h"

namespace tenure::onnx {

struct LoadOptions {
  std::vector<ExternalFile> files = {};  ///< with the bytes of tensors that are not in the model's file
  std::vector<std::pair<std::string, std::int32_t>> free_dimensions =
      {};  ///< extents by their names in the model
};

/// True if an .onnx file has an op whose row is in rare_rows/, or that is not supported (is_rare()). Throws
/// for an invalid file.
bool has_rare_ops(std::span<const std::byte> file);

/// Loads an .onnx file, whose bytes need not outlive the call. Values are named as in the file. Throws for an
/// invalid file and for ops that are not supported, naming the node, and leaves nothing allocated.
GraphModel load_model(std::span<const std::byte> file, const LoadOptions& options = {});

}  // namespace tenure::onnx
