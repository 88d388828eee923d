#pragma once

#include <emscripten/em_macros.h>

#include "wasm/scratch.h"

/// A raw call: numbers as arguments only, everything else through the scratch words. It gives a count or an
/// id, or -1 with last_error() set.
#define TENURE_CALL extern "C" EMSCRIPTEN_KEEPALIVE
