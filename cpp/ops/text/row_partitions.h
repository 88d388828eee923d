#pragma once

#include <string_view>

namespace tenure {

/// TensorFlow's names of the row partition types, in the order of RowPartition.
inline constexpr std::string_view kRowPartitions[] = {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_LENGTHS",
                                                      "ROW_SPLITS",     "ROW_LIMITS",   "ROW_STARTS"};

}  // namespace tenure
