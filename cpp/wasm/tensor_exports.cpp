// Tensors in and out, for programs that use the module without the package's TypeScript.

#include <emscripten/bind.h>

#include "owner/ownership.h"
#include "wasm/call.h"
#include "wasm/exports.h"

namespace tenure::wasm {
namespace {

/// Creates a tensor of a typed array's elements: float32, int32 or, for a Uint8Array, bool. Returns its
/// handle. Throws ShapeError if the shape has another number of elements.
double tensor(const Elements& values, const Extents& extents) {
  double handle = 0;
  exported([&] {
    const int dtype = export_dtype(values.as_handle());
    const int rank = dtype < 0 ? -1 : export_take_extents(extents.as_handle());
    if (rank < 0) return;
    check_shape(rank <= kMaxRank, "[tensor] rank ", rank, " is higher than the highest supported, ",
                kMaxRank);
    const Shape shape(std::span<const std::int32_t>(scratch, static_cast<std::size_t>(rank)));
    shape.validate();
    const double bytes = export_take_bytes(values.as_handle(), "[tensor] values");
    const std::size_t item = element_size(static_cast<DType>(dtype));
    check_shape(bytes == static_cast<double>(shape.elements()) * static_cast<double>(item), "[tensor] shape ",
                shape, " has ", shape.elements(), " elements, and ",
                static_cast<std::int64_t>(bytes) / static_cast<int>(item), " values were given");
    Tensor result(TensorSpec{shape, static_cast<DType>(dtype)});
    export_copy_bytes(result.mutable_data<std::uint8_t>());
    handle = static_cast<double>(ownership().add(std::move(result)));
  });
  return handle;
}

/// Returns a copy of a tensor's elements, with its shape and dtype. Throws DisposedError.
TensorData read(double handle) {
  exported([&] {
    const Handle id = id_from(handle);
    const Tensor& tensor = ownership().get(id);
    check(tensor.dtype() <= DType::kBool, "[read] reads float32, int32 and bool");
    const auto* elements = tensor.data<std::uint8_t>();
    write_tensor(scratch, id, tensor);
    export_return_tensor(elements, tensor.bytes());
  });
  return returned_by_javascript<TensorData>();
}

}  // namespace

EMSCRIPTEN_BINDINGS(tensors) {
  emscripten::function("tensor(values, shape)", &tensor);
  emscripten::function("read(handle)", &read);
}

}  // namespace tenure::wasm
