#pragma once

#include <cstdint>
#include <functional>

#include "core/tensor.h"
#include "import/keras/layer.h"
#include "model/passes/channels_last.h"

namespace tenure::keras {

/// Whether data_format is channels_first; the kernels want channels last, so such layers transpose around
/// themselves.
bool is_channels_first(const Config& config);
/// The field "padding": valid or same.
Padding read_padding(const Config& config);
/// The specs that `infer` gives for images, or where a window of `extents` does not fit the known extents of
/// one, what it gives for an image of the window's size, with extents of 0: such a model loads, and an image
/// that is too small is an error when it comes.
Specs infer_windows(const Specs& inputs, const Dims& extents, bool channels_first,
                    const std::function<Specs(const Specs&)>& infer);

/// An extent computed in 64 bits; throws where it does not fit a shape.
std::int32_t to_extent(std::int64_t extent);

}  // namespace tenure::keras
