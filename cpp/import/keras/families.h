#pragma once

#include "import/keras/layer.h"

/// Tables of layer classes, one per source file in layers/ and rnn/.
namespace tenure::keras {

std::span<const LayerRow> core_layers();
std::span<const LayerRow> shape_layers();
std::span<const LayerRow> conv_layers();
std::span<const LayerRow> pool_layers();
std::span<const LayerRow> image_layers();
std::span<const LayerRow> norm_layers();
std::span<const LayerRow> noise_layers();
std::span<const LayerRow> activation_layers();
std::span<const LayerRow> merge_layers();
std::span<const LayerRow> recurrent_layers();
std::span<const LayerRow> cell_layers();
std::span<const LayerRow> conv3d_layers();
std::span<const LayerRow> preprocessing_layers();
std::span<const LayerRow> wrapper_layers();

}  // namespace tenure::keras
