#include "webgpu/matmul/integer_product.h"

#include <array>
#include <span>

#include "core/memory/narrow_integers.h"
#include "core/text.h"
#include "shape_util/mat_mul.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/dynamic_range.wgsl.h"
#include "webgpu/matmul/integer_dots.h"
#include "webgpu/matmul/integer_tile.wgsl.h"
#include "webgpu/matmul/integer_tiles.h"
#include "webgpu/matmul/matmul_int.wgsl.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/kernel.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Adds the matrices, and sets their sizes and strides.
void add_product(Dispatch& dispatch, const Tensor& a, const IntegerMatrix& b, const MatrixSizes& sizes,
                 const MatMulAttrs& attrs) {
  const auto& [rows, columns, depth, batch] = sizes;
  std::array<int, std::size_t{4} * kMaxRank> planes = {1, 0, 0, 0};
  const int rank = batch ? batch->rank : 0;
  for (int d = 0; d < rank; ++d) {
    const std::size_t at = static_cast<std::size_t>(d) * 4;
    planes[at] = static_cast<int>(batch->extent[d]);
    planes[at + 1] = static_cast<int>(batch->stride_a[d]) * rows * depth;
    planes[at + 2] = static_cast<int>(batch->stride_b[d]) * depth * columns;
  }
  b.add_to(dispatch);
  dispatch.constant("PLANES", rank)
      .input("a", a)
      .set("rows", rows)
      .set("columns", columns)
      .set("depth", depth)
      .set("a_row", attrs.transpose_a ? 1 : depth)
      .set("a_step", attrs.transpose_a ? rows : 1)
      .set("b_row", attrs.transpose_b ? 1 : columns)
      .set("b_column", attrs.transpose_b ? depth : 1)
      .set("planes", std::span<const int>(planes).first(static_cast<std::size_t>(std::max(rank, 1)) * 4));
}

/// The kernel that computes a product: words of bytes, tiles of matrices that are read in vectors of columns,
/// or elements. WGSL's dot4I8Packed() multiplies the words.
class ProductKernel {
 public:
  ProductKernel(const Tensor& b, const MatrixSizes& sizes)
      : b_(b),
        sizes_(sizes),
        tiles_(sizes.rows, sizes.columns),
        is_tiled_(b_.has_vectors() && sizes.columns % 4 == 0 && !sizes.batch) {
    if (sizes.batch) return;
    dots_ = IntegerDots::find(
        b, {.rows = sizes.rows, .columns = sizes.columns, .depth = sizes.depth, .sources = sizes.rows});
  }

  /// Returns the product if the kernel multiplies words of bytes, else null.
  IntegerDots* dots() { return dots_ ? &*dots_ : nullptr; }
  const char* name() const {
    if (dots_) return dots_->name();
    return !is_tiled_ ? "matmul_int" : tiles_.is_workgroup() ? "integer_tile_workgroup" : "integer_tile";
  }
  /// Adds the matrices, a row-major, and their sizes.
  void add_operands(Dispatch& dispatch, const Tensor& a) {
    if (dots_) {
      dots_->pack(a);
      dots_->add_values(dispatch, a);
      return add_packed(dispatch);
    }
    if (!is_tiled_) return add_product(dispatch, a, b_, sizes_, {});
    b_.add_to(dispatch);
    dispatch.input("a", a).set("depth", sizes_.depth);
  }
  /// Adds the matrices and their sizes, after dots() has packed the rows. The dispatch declares values().
  void add_packed(Dispatch& dispatch) const {
    dots_->add_to(dispatch);
    dispatch.declare(
        "fn row_origin(row:i32)->vec3i{return vec3i(row);}"
        "fn source_row(origin:vec3i,tap:i32)->i32{return origin.x;}");
  }
  /// Dispatches the kernel. `functions` is what its declarations call.
  void launch(Dispatch& dispatch, Tensor& out, std::string_view functions = "") const {
    if (dots_) return dots_->launch(dispatch, out, functions);
    if (is_tiled_) return tiles_.launch(dispatch, out, functions, wgsl::kIntegerTile);
    dispatch.elements(out, {functions, wgsl::kMatmulInt});
  }

 private:
  IntegerMatrix b_;
  const MatrixSizes& sizes_;
  IntegerTiles tiles_;
  bool is_tiled_;
  std::optional<IntegerDots> dots_;
};

constexpr int kNone = -1;

/// Adds zero points, input `input`, as `zeros`, and declares a function `name` that returns those of a row or
/// column: 0 for kNone.
void add_zeros(Dispatch& dispatch, Inputs in, int input, std::string_view name, const char* zeros) {
  if (input == kNone || !in.has(input)) {
    dispatch.declare(text("fn ", name, "(i:i32)->i32{return 0;}"));
    return;
  }
  const char* const index = in[input].elements() == 1 ? "[0];}" : "[i];}";
  dispatch.input(zeros, in[input]).declare(text("fn ", name, "(i:i32)->i32{return ", zeros, index));
}

/// The lowest and the highest of some floats, from which dynamic_range.wgsl computes a scale and a zero
/// point.
class Range {
 public:
  explicit Range(const Tensor& x)
      : low_(Tensor::deferred({{}, DType::kFloat32})), high_(Tensor::deferred({{}, DType::kFloat32})) {
    const ReduceAttrs attrs;
    min({{&x}, AttrsView(attrs), low_});
    max({{&x}, AttrsView(attrs), high_});
  }
  void add_to(Dispatch& dispatch) const {
    dispatch.declare(kFloatAliases).input("low", low_).input("high", high_);
  }

 private:
  Tensor low_;
  Tensor high_;
};

/// Quantizes floats to 0..255, minus their zero point.
Tensor quantize(const Tensor& x, const Range& range) {
  Tensor quantized = Tensor::deferred({x.shape(), DType::kInt32});
  Dispatch dispatch("quantize");
  range.add_to(dispatch);
  dispatch.input4("x", x).output4().elements(quantized, {wgsl::kDynamicRange, R"(
    fn run(i: i32) { out[i] = quantize(x[i]); }
  )"_wgsl});
  return quantized;
}

/// Quantizes the rows of a product to bytes.
void pack_quantized(IntegerDots& dots, const Tensor& x, const Range& range) {
  Dispatch dispatch(dots.pack_name());
  range.add_to(dispatch);
  if (x.shape().back() % 4 == 0) {
    dispatch.input4("x", x).declare("fn values(e:i32)->vec4i{return quantize(x[e>>2u]);}");
  } else {
    dispatch.input("x", x).declare(
        "fn values(e:i32)->vec4i{return quantize(vec4f(x[e],x[e+1],x[e+2],x[e+3]));}");
  }
  dots.pack(dispatch, wgsl::kDynamicRange);
}

}  // namespace

std::string_view column_index(const Tensor& values) { return values.elements() == 1 ? "[0]" : "[c]"; }

void IntegerMatrix::add_to(Dispatch& dispatch) const {
  if (packed_) return packed_->add_to(dispatch, "b");
  dispatch.input("b", b_).declare("fn b_element(e:i32)->i32{return b[e];}");
}

MatrixSizes get_sizes(const KernelArgs& args, const MatMulAttrs& attrs) {
  const Tensor& a = args.in[0];
  const Tensor& b = args.in[1];
  MatrixSizes sizes = {args.out.shape().back(1), args.out.shape().back(),
                       a.shape().back(attrs.transpose_a ? 1 : 0), std::nullopt};
  if (b.rank() == 2 && !attrs.transpose_a) {
    // A batch times one matrix is one matmul with more rows.
    sizes.rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(sizes.columns));
  } else if (args.out.rank() > 2) {
    sizes.batch.emplace(get_batch_dims(a.shape()), get_batch_dims(b.shape()),
                        get_batch_dims(args.out.shape()));
  }
  return sizes;
}

Tensor pack_bytes(const Tensor& x) {
  const NarrowIntegers* narrow = NarrowIntegers::of(x);
  if (narrow && narrow->bits() == 8 && narrow->transposed_rows() == 0) return narrow->words();
  Tensor words = Tensor::deferred({{static_cast<std::int32_t>((x.elements() + 3) / 4)}, DType::kInt32});
  Dispatch("pack_bytes").input4("x", x).elements(words, R"(
    fn run(i: i32) {
      let bytes = (x[i] & vec4i(255)) << vec4u(0, 8, 16, 24);
      out[i] = bytes.x | bytes.y | bytes.z | bytes.w;
    }
  )"_wgsl);
  return words;
}

void multiply_integers(const KernelArgs& args, const MatMulAttrs& attrs) {
  const IntegerMatrix b(args.in[1]);
  Dispatch dispatch("matmul_int");
  add_product(dispatch, args.in[0], b, get_sizes(args, attrs), attrs);
  add_zeros(dispatch, args.in, kNone, "a_zero", "a_zeros");
  add_zeros(dispatch, args.in, kNone, "b_zero", "b_zeros");
  dispatch.declare("fn finish(sum:i32,c:i32)->i32{return sum;}").elements(args.out, wgsl::kMatmulInt);
}

void mat_mul_integer(const KernelArgs& args) {
  if (args.in[0].elements() == 0) return fall_back_to_cpu(Op::mat_mul_integer, args);
  const MatrixSizes sizes = get_sizes(args, {});
  ProductKernel kernel(args.in[1], sizes);
  Dispatch dispatch(kernel.name());
  kernel.add_operands(dispatch, args.in[0]);
  add_zeros(dispatch, args.in, 2, "a_zero", "a_zeros");
  add_zeros(dispatch, args.in, 3, "b_zero", "b_zeros");
  dispatch.declare("fn finish(sum:i32,c:i32)->i32{return sum;}");
  kernel.launch(dispatch, args.out);
}

void dynamic_quantize_mat_mul(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  if (x.elements() == 0) return fall_back_to_cpu(Op::dynamic_quantize_mat_mul, args);
  const Range range(x);
  const MatrixSizes sizes = get_sizes(args, {});
  ProductKernel kernel(args.in[1], sizes);
  Dispatch dispatch(kernel.name());
  Tensor a;
  if (IntegerDots* const dots = kernel.dots()) {
    pack_quantized(*dots, x, range);
    kernel.add_packed(dispatch);
    // Quantized rows span 8 bits, unless the result is NaN.
    dispatch.declare("fn values(e:i32)->vec4i{return vec4i();}");
  } else {
    a = quantize(x, range);
    kernel.add_operands(dispatch, a);
  }
  add_zeros(dispatch, args.in, kNone, "a_zero", "a_zeros");
  add_zeros(dispatch, args.in, 3, "b_zero", "b_zeros");
  range.add_to(dispatch);
  const Tensor& scale = args.in[2];
  dispatch.input("scale", scale);
  const bool has_bias = args.in.has(4);
  if (has_bias) dispatch.input("bias", args.in[4]);
  dispatch.declare(text("fn finish(sum:i32,c:i32)->f32{return f32(sum)*(dynamic_range().x*scale",
                        column_index(scale), ")", has_bias ? "+bias" : "",
                        has_bias ? column_index(args.in[4]) : "", ";}"));
  kernel.launch(dispatch, args.out, wgsl::kDynamicRange);
}

}  // namespace tenure::webgpu
