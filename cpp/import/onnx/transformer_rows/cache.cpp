#include "import/onnx/transformer_rows/cache.h"

#include "core/memory/growing_rows.h"
#include "core/run/open_tapes.h"
#include "core/run/tracer.h"
#include "import/onnx/families.h"

namespace tenure::onnx {
namespace {

/// True if ops run at once, on the CPU, and nothing records them.
bool runs_on_cpu() { return !current_tracer() && !open_tapes().recording && !usable_backend().is_device(); }

bool can_grow(const Tensor& past, const Tensor& rows, int axis) {
  if (!runs_on_cpu() || !past.has_data() || !rows.has_data() || past.dtype() != rows.dtype() ||
      past.dtype() == DType::kString || past.rank() < 2 || axis != past.rank() - 2)
    return false;
  Shape expected = past.shape();
  expected[axis] = rows.rank() == past.rank() ? rows.dim(axis) : -1;
  return expected == rows.shape() && past.elements() > 0 && rows.elements() > 0;
}

Dims zeros(int count) {
  Dims list;
  list.rank = count;
  return list;
}

/// Returns a tensor that was_appended() recognizes: a view of the whole of its storage.
Tensor mark(const Tensor& x) {
  return Tensor(Storage::view(x.storage()->data(), x.storage()->bytes(), x.storage()), x.spec());
}
bool was_appended(const Tensor& x) { return x.storage()->has_holdings(); }

Tensor appended(const Call& call) {
  return append_to_cache(call[0], call[1], normalize_axis(call.attrs().integer("axis", 1), call[0].rank()));
}

}  // namespace

constexpr Row kCacheConcatRow{"Concat", appended};

Tensor append_to_cache(const Tensor& past, const Tensor& rows, int axis) {
  if (can_grow(past, rows, axis) && was_appended(past)) return GrowingRows::append(past, rows, axis);
  const Tensor joined = concat({past, rows}, {axis});
  return runs_on_cpu() && joined.has_data() && joined.dtype() != DType::kString ? mark(joined) : joined;
}

Tensor multiply_by_grown(const Tensor& a, const Tensor& b, const MatMulAttrs& attrs) {
  // A product of many rows is larger than the cache, and would be copied in its place.
  const bool is_small = a.rank() >= 2 && b.rank() >= 2 && a.shape().back(1) < b.shape().back();
  const Tensor padded =
      is_small && !attrs.transpose_a && runs_on_cpu() ? GrowingRows::find_padded(b) : Tensor();
  const std::int32_t length = padded ? b.shape().back(1) : 0;
  if (!padded || a.shape().back() != (attrs.transpose_b ? b.shape().back() : length))
    return mat_mul(a, b, attrs);
  if (attrs.transpose_b) {
    const Tensor products = mat_mul(a, padded, attrs);
    Dims size = products.shape();
    size.back() = length;
    return slice(products, {zeros(size.rank), size});
  }
  PadAttrs pads{zeros(a.rank()), zeros(a.rank())};
  pads.after.back() = padded.shape().back(1) - length;
  return mat_mul(pad(a, pads), padded, attrs);
}

}  // namespace tenure::onnx
