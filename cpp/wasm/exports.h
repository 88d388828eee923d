#pragma once

#include <emscripten/val.h>

#include <cstddef>

#include "wasm/scratch.h"

namespace tenure::wasm {

/// Types of Embind's exports, as web/src/generated/tenure.d.ts declares them (wasm/exports.cpp).
EMSCRIPTEN_DECLARE_VAL_TYPE(Body)
EMSCRIPTEN_DECLARE_VAL_TYPE(Result)
EMSCRIPTEN_DECLARE_VAL_TYPE(Inputs)
EMSCRIPTEN_DECLARE_VAL_TYPE(Handles)
EMSCRIPTEN_DECLARE_VAL_TYPE(Text)
EMSCRIPTEN_DECLARE_VAL_TYPE(Bytes)
EMSCRIPTEN_DECLARE_VAL_TYPE(Elements)
EMSCRIPTEN_DECLARE_VAL_TYPE(Extents)
EMSCRIPTEN_DECLARE_VAL_TYPE(TensorData)

// Imports that wasm/exports.js defines. None of them throws. What an export returns or throws is stored there
// until the engine's frames have returned, so that an interrupted call leaks no reference to it.
extern "C" {
/// Calls a function, whose val it releases first. Returns the number of handles that the function returned,
/// which are then in the scratch, or -1 if it threw or returned something else.
int export_call(emscripten::EM_VAL body);
/// Writes one handle or an array of handles into the scratch. Returns their number, or -1 if they are no
/// handles. `what` names the argument in the error.
int export_take_handles(emscripten::EM_VAL handles, const char* what);
/// Makes the export return the handles in the scratch as an array.
void export_return_handles(int count);
/// Writes an array of integers into the scratch. Returns their number, or -1 for an error.
int export_take_extents(emscripten::EM_VAL extents);
/// Stores a string as UTF-8, or the bytes of a buffer or a view, for export_copy_bytes(). Returns the number
/// of bytes, or -1 for an error.
double export_take_bytes(emscripten::EM_VAL source, const char* what);
/// Copies the bytes of export_take_bytes() to `to`.
void export_copy_bytes(void* to);
/// Returns the number of the dtype of a typed array's elements, or -1 for an error.
int export_dtype(emscripten::EM_VAL elements);
/// Makes the export return {dtype, shape, values} of the tensor that the scratch describes.
void export_return_tensor(const void* elements, std::size_t bytes);
/// Makes the export throw an Error of this name.
void export_throw(const char* name, const char* message);
}

/// Makes the export throw last_error().
void throw_last_error();

/// Runs the C++ side of an export. An error in it is thrown in JavaScript.
template <class F>
void exported(F body) {
  const int status = guarded([&] {
    body();
    return 0;
  });
  if (status == -1) throw_last_error();
}

/// Returns a placeholder for Embind, where wasm/exports.js returns the value.
template <class T>
T returned_by_javascript() {
  return T(emscripten::val::undefined());
}

}  // namespace tenure::wasm
