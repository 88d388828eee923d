#include "webgpu/kernels.h"
#include "webgpu/reduce/scan.wgsl.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {
namespace {

/// A scan of x, [outer, extent, inner].
struct Scan {
  std::size_t outer;
  int extent;
  std::size_t inner;
  bool is_product;
  bool is_exclusive;
  bool is_reversed;
};

/// Elements that a thread scans of a long dimension.
constexpr int kChunk = 64;

/// Dispatches a thread for each chunk of each line. `offsets` may be null.
void run_chunks(const Scan& scan, const Tensor& x, int chunk, const Tensor* offsets, bool totals,
                Tensor& out) {
  const int chunks = (scan.extent + chunk - 1) / chunk;
  Dispatch dispatch("scan");
  dispatch.constant("PRODUCT", scan.is_product)
      .constant("EXCLUSIVE", scan.is_exclusive)
      .constant("TOTALS", totals)
      .input("x", x)
      .set("extent", scan.extent)
      .set("inner", static_cast<int>(scan.inner))
      .set("chunk", chunk)
      .set("chunks", chunks)
      .set("step", scan.is_reversed ? -1 : 1);
  if (offsets) dispatch.input("offsets", *offsets);
  dispatch.declare(offsets           ? "fn offset_of(i:i32)->T{return offsets[i];}"
                   : scan.is_product ? "fn offset_of(i:i32)->T{return T(1);}"
                                     : "fn offset_of(i:i32)->T{return T(0);}");
  dispatch.threads(out, scan.outer * static_cast<std::size_t>(chunks) * scan.inner, wgsl::kScan);
}

/// Scans long lines in chunks, whose totals are scanned first. Sums are in the same order at each run.
void run_scan(const Scan& scan, const Tensor& x, Tensor& out) {
  if (scan.extent <= 4 * kChunk) return run_chunks(scan, x, scan.extent, nullptr, false, out);
  const int chunks = (scan.extent + kChunk - 1) / kChunk;
  const TensorSpec spec{
      {static_cast<std::int32_t>(scan.outer), chunks, static_cast<std::int32_t>(scan.inner)}, out.dtype()};
  Tensor totals = Tensor::deferred(spec);
  run_chunks(scan, x, kChunk, nullptr, true, totals);
  Tensor offsets = Tensor::deferred(spec);
  run_scan({.outer = scan.outer,
            .extent = chunks,
            .inner = scan.inner,
            .is_product = scan.is_product,
            .is_exclusive = true,
            .is_reversed = false},
           totals, offsets);
  run_chunks(scan, x, kChunk, &offsets, false, out);
}

void scan_axis(const KernelArgs& args, bool is_product) {
  const auto attrs = args.attrs.as<CumulateAttrs>();
  const Shape& shape = args.out.shape();
  const int axis = normalize_axis(attrs.axis, shape.rank);
  run_scan({.outer = shape.elements(0, axis),
            .extent = shape[axis],
            .inner = shape.elements(axis + 1, shape.rank),
            .is_product = is_product,
            .is_exclusive = attrs.exclusive != 0,
            .is_reversed = attrs.reverse != 0},
           args.in[0], args.out);
}

}  // namespace

void cumsum(const KernelArgs& args) { scan_axis(args, false); }
void cumprod(const KernelArgs& args) { scan_axis(args, true); }

}  // namespace tenure::webgpu
