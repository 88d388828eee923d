#pragma once

#include "import/keras/layer_table.h"
#include "import/keras/weight_sync.h"

namespace tenure::wasm {

/// Returns the layers that JavaScript refers to by numbers.
keras::LayerTable& layers();

/// Returns the engine's handles, which JavaScript shares with weights.
keras::TensorHandles& weight_handles();

}  // namespace tenure::wasm
