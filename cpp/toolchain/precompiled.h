// Headers that nearly every source file includes. They are three quarters of the time that a file takes to
// compile, so each set of compiler options parses them once (tenure_precompile in settings.cmake). Sources
// include what they use all the same: clang-tidy reads them without this file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/run/backend.h"
#include "core/run/op.h"
#include "core/tensor.h"
#include "ops/ops.h"
