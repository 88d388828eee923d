#pragma once

#include <cstdint>
#include <functional>

#include "core/tensor.h"
#include "import/keras/layer.h"
#include "model/passes/channels_last.h"

namespace tenure::keras {

/// True if data_format is channels_first. Kernels need channels last, so such layers transpose around their
/// op. Throws for a word other than channels_last and channels_first.
bool is_channels_first(const Config& config);
/// Returns the padding in the field "padding". Throws unless it is valid or same.
Padding read_padding(const Config& config);
/// Returns infer(inputs). If a window of `extents` does not fit the known extents of the images, infers from
/// images of the window's size instead and sets those extents of the first output to 0: such a model loads,
/// and an image that is too small throws when the model runs.
Specs infer_windows(const Specs& inputs, const Dims& extents, bool channels_first,
                    const std::function<Specs(const Specs&)>& infer);

/// Returns an extent that was computed in 64 bits. Throws unless it is in [0, 2^31).
std::int32_t to_extent(std::int64_t extent);

}  // namespace tenure::keras
