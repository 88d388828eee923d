#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cases/case.h"
#include "ops/moves.h"
#include "shape_util/window.h"

namespace tenure::cases {
namespace {

/// Returns a reference that computes one cell at a time. The maximum skips NaN.
Reference pooled(Op op, const PoolAttrs& a) {
  return [=](const Tensors& in) {
    const Tensor& x = in[0];
    const PoolGeometry g = pool_geometry(x.shape(), a);
    const Shape out{x.dim(0), g.rows.out, g.columns.out, x.dim(3)};
    std::vector<double> values;
    moves::for_each_index(out, [&](const Dims& at, std::size_t) {
      double most = x.dtype() == DType::kInt32 ? std::numeric_limits<std::int32_t>::min() : -INFINITY;
      double total = 0;
      int cells = 0;
      for (int i = 0; i < a.window_h; ++i) {
        for (int j = 0; j < a.window_w; ++j) {
          const int row = at[1] * a.stride_h - g.rows.pad_before + i * a.dilation_h;
          const int column = at[2] * a.stride_w - g.columns.pad_before + j * a.dilation_w;
          if (row < 0 || row >= x.dim(1) || column < 0 || column >= x.dim(2)) continue;
          const double value =
              moves::number_at(x, moves::position_of(x.shape(), {at[0], row, column, at[3]}));
          if (value > most) most = value;
          total += value;
          ++cells;
        }
      }
      values.push_back(op == Op::max_pool ? most : total / cells);
    });
    return values;
  };
}

void add_both(Table& table, const Input& x, const PoolAttrs& attrs) {
  const auto add = [&](Op op, const Input& input) {
    Options options{.reference = pooled(op, attrs), .exact = 1e-5};
    if (!x.values.empty() || attrs.rounding == Rounding::kCeil) options.skip_gradients = "not finite";
    table.add(op, {input}, attrs, options);
  };
  add(Op::max_pool, x);
  add(Op::avg_pool, x);
  if (x.values.empty()) add(Op::max_pool, ints(x.spec.shape));
}

}  // namespace

void add_pool(Table& table) {
  constexpr auto kSame = Padding::kSame;
  constexpr auto kExplicit = Padding::kExplicit;
  const auto image = [](const Shape& shape) { return floats(shape).within(-2, 2); };
  add_both(table, image({1, 1, 1, 1}), {});
  add_both(table, image({1, 4, 4, 1}), {.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2});
  add_both(table, image({1, 4, 5, 2}), {.window_h = 2, .window_w = 3, .stride_w = 2, .padding = kSame});
  add_both(table, image({2, 5, 7, 3}), {.window_h = 3, .window_w = 2, .stride_h = 2, .stride_w = 1});
  add_both(table, image({1, 5, 5, 9}),
           {.window_h = 2, .window_w = 2, .dilation_h = 2, .dilation_w = 3, .padding = kSame});
  add_both(table, image({1, 3, 4, 2}),
           {.window_h = 2, .window_w = 3, .padding = kExplicit, .pad_top = 1, .pad_left = 2, .pad_right = 1});
  add_both(table, image({1, 6, 6, 1}),
           {.window_h = 2,
            .window_w = 2,
            .stride_h = 3,
            .stride_w = 3,
            .padding = kExplicit,
            .rounding = Rounding::kCeil});
  add_both(table, image({1, 3, 3, 8}), {.window_h = 7, .window_w = 7, .padding = kSame});
  add_both(table, image({0, 4, 4, 2}), {.window_h = 2, .window_w = 2});
  add_both(table, image({2, 4, 4, 0}), {.window_h = 2, .window_w = 2});
  for (const std::int32_t channels : {1, 2, 3, 4, 8}) {
    for (const Padding padding : {Padding::kValid, kSame}) {
      for (const std::int32_t stride : {1, 2, 3}) {
        add_both(table, image({2, 9, 7, channels}),
                 {.window_h = 3, .window_w = 2, .stride_h = stride, .stride_w = stride, .padding = padding});
      }
    }
    add_both(table, image({2, 10, 11, channels}),
             {.window_h = 3, .window_w = 3, .dilation_h = 2, .dilation_w = 3, .padding = kSame});
    // A window entirely in the padding is empty.
    add_both(table, given({1, 5, 4, channels}, {0.25, -1, 3}),
             {.window_h = 2,
              .window_w = 2,
              .stride_h = 2,
              .stride_w = 2,
              .padding = kExplicit,
              .pad_top = 2,
              .pad_bottom = 3,
              .pad_left = 3,
              .pad_right = 2});
  }
  add_both(table, given({3, 2, 2, 1}, {NAN, 1, 2, NAN, 3, NAN, 4, -5, NAN, NAN, NAN, NAN}),
           {.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2});

  for (const Padding padding : {Padding::kValid, kSame}) {
    const PoolAttrs attrs{.window_h = 2, .window_w = 3, .stride_w = 2, .padding = padding};
    table.add(Op::max_pool_positions, {floats({1, 4, 5, 2})}, attrs);
    table.add(Op::max_pool_positions, {ints({1, 4, 5, 2})}, attrs);
    const std::int32_t rows = padding == kSame ? 4 : 3;
    const std::int32_t columns = padding == kSame ? 3 : 2;
    const PoolBackpropAttrs back{
        .input_shape = {1, 4, 5, 2}, .window_h = 2, .window_w = 3, .stride_w = 2, .padding = padding};
    const Shape pooled = {1, rows, columns, 2};
    std::vector<double> positions;
    moves::for_each_index(pooled, [&](const Dims& at, std::size_t) {
      positions.push_back(at[1] == 2 ? -1 : (at[1] * 5 + at[2] * 2) * 2 + at[3]);
    });
    table.add(Op::avg_pool_backprop, {floats(pooled)}, back);
    table.add(Op::max_pool_backprop, {floats(pooled), indices(pooled, positions)}, back);
    for (const bool counts_batch : {false, true}) {
      table.add(Op::max_pool_with_argmax, {floats({2, 3, 4, 2})},
                MaxPoolWithArgmaxAttrs{
                    .window_h = 2, .window_w = 2, .padding = padding, .counts_batch = counts_batch});
    }
    table.add(Op::dilation2d, {floats({1, 4, 5, 2}).within(-20, 20), floats({2, 3, 2}).within(-6, 6)},
              ConvAttrs{.stride_h = 2, .padding = padding});
  }
}

}  // namespace tenure::cases
