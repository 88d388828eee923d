#pragma once

#include <emscripten/val.h>

#include <cstddef>

#include "wasm/scratch.h"

namespace tenure::wasm {

/// The types of Embind's exports, as web/src/generated/tenure.d.ts shows them (wasm/exports.cpp).
EMSCRIPTEN_DECLARE_VAL_TYPE(Body)
EMSCRIPTEN_DECLARE_VAL_TYPE(Result)
EMSCRIPTEN_DECLARE_VAL_TYPE(Inputs)
EMSCRIPTEN_DECLARE_VAL_TYPE(Handles)
EMSCRIPTEN_DECLARE_VAL_TYPE(Text)
EMSCRIPTEN_DECLARE_VAL_TYPE(Bytes)
EMSCRIPTEN_DECLARE_VAL_TYPE(Elements)
EMSCRIPTEN_DECLARE_VAL_TYPE(Extents)
EMSCRIPTEN_DECLARE_VAL_TYPE(TensorData)

// Imports, which wasm/exports.js defines. No exception leaves them. What an export returns or throws is kept
// there until the engine's frames are left, so that a cut call leaks no reference to it.
extern "C" {
/// Calls a function, whose val it releases first. Gives the number of handles that it returned, which stand
/// in the scratch, or -1 where it threw, or returned something else.
int export_call(emscripten::EM_VAL body);
/// Writes one handle or an array of handles into the scratch. Gives their number, or -1 where they are none;
/// `what` names them in the error.
int export_take_handles(emscripten::EM_VAL handles, const char* what);
/// Lets the export return the handles in the scratch as an array.
void export_return_handles(int count);
/// Writes an array of integers into the scratch; gives their number, or -1.
int export_take_extents(emscripten::EM_VAL extents);
/// Holds a text as UTF-8, or the bytes of a buffer or a view; gives the number of bytes, or -1.
double export_take_bytes(emscripten::EM_VAL source, const char* what);
/// Writes those bytes.
void export_copy_bytes(void* to);
/// The number of the dtype whose elements a typed array has, or -1.
int export_dtype(emscripten::EM_VAL elements);
/// Lets the export return {dtype, shape, values} of the tensor that the scratch describes.
void export_return_tensor(const void* elements, std::size_t bytes);
/// Lets the export throw an Error of this name.
void export_throw(const char* name, const char* message);
}

/// Lets the export throw last_error().
void throw_last_error();

/// Runs the C++ side of an export. Its error is thrown in JavaScript.
template <class F>
void exported(F body) {
  const int status = guarded([&] {
    body();
    return 0;
  });
  if (status == -1) throw_last_error();
}

/// What an export gives to Embind where wasm/exports.js returns the value.
template <class T>
T returned_by_javascript() {
  return T(emscripten::val::undefined());
}

}  // namespace tenure::wasm
