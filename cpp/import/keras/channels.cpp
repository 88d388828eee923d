#include "import/keras/channels.h"

#include "core/error.h"

namespace tenure::keras {

bool is_channels_first(const Config& config) {
  const std::string format = config.word("data_format", "channels_last");
  if (format != "channels_last" && format != "channels_first") {
    config.fail("field \"data_format\" must be channels_last or channels_first, got \"", format, "\"");
  }
  return format == "channels_first";
}

Padding read_padding(const Config& config) {
  const std::string padding = config.word("padding");
  if (padding != "valid" && padding != "same")
    config.fail("field \"padding\" must be valid or same, got \"", padding, "\"");
  return padding == "same" ? Padding::kSame : Padding::kValid;
}

Specs infer_windows(const Specs& inputs, const Dims& extents, bool channels_first,
                    const std::function<Specs(const Specs&)>& infer) {
  Specs grown = inputs;
  Dims small;
  const int first = channels_first ? 2 : 1;
  for (int i = 0; i < extents.rank; ++i) {
    std::int32_t& extent = grown.at(0).shape[first + i];
    if (extent < 0 || extent >= extents[i]) continue;
    extent = extents[i];
    small.push_back(first + i);
  }
  Specs specs = infer(grown);
  for (const std::int32_t axis : small) specs[0].shape[axis] = 0;
  return specs;
}

std::int32_t to_extent(std::int64_t extent) {
  check_shape(extent >= 0 && extent <= INT32_MAX, "the result would have an extent of ", extent);
  return static_cast<std::int32_t>(extent);
}

}  // namespace tenure::keras
