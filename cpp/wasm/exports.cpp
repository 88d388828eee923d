// Functions that Embind's exports share, and the types that they declare to TypeScript.

#include "wasm/exports.h"

#include <emscripten/bind.h>

namespace tenure::wasm {
namespace {

/// Returns the name of the class in web/src/runtime/errors.ts for an error code.
const char* error_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kDisposed: return "DisposedError";
    case ErrorCode::kOutOfMemory: return "OutOfMemoryError";
    case ErrorCode::kShape: return "ShapeError";
    case ErrorCode::kContextLost: return "ContextLostError";
    case ErrorCode::kInterrupted: return "InterruptedError";
    default: return "Error";
  }
}

}  // namespace

void throw_last_error() {
  const char* const message = error_message();
  export_throw(error_name(error_code()), *message ? message : "out of memory");
}

EMSCRIPTEN_BINDINGS(exports) {
  emscripten::register_type<Body>("() => number | number[] | void");
  emscripten::register_type<Result>("number | number[] | void");
  emscripten::register_type<Inputs>("number | number[]");
  emscripten::register_type<Handles>("number[]");
  emscripten::register_type<Text>("string");
  emscripten::register_type<Bytes>("ArrayBuffer | ArrayBufferView");
  emscripten::register_type<Elements>("Float32Array | Int32Array | Uint8Array");
  emscripten::register_type<Extents>("number[]");
  emscripten::register_type<TensorData>(
      "{ dtype: 'float32' | 'int32' | 'bool', shape: number[], values: Float32Array | Int32Array | "
      "Uint8Array }");
}

}  // namespace tenure::wasm
