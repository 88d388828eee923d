#pragma once

#include <emscripten/em_macros.h>

#include "wasm/scratch.h"

/// Declares a raw call: a function exported to JavaScript with numbers as its only arguments; everything else
/// is passed in the scratch words. Returns a count or an id, or -1 with last_error() set.
#define TENURE_CALL extern "C" EMSCRIPTEN_KEEPALIVE
