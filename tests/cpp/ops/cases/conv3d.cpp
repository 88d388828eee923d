#include "ops/cases/case.h"

namespace tenure::cases {

void add_volume(Table& table) {
  const Options sums{.tolerance = 1e-4};
  table.add(Op::conv3d, {floats({1, 3, 2, 3, 2}), floats({2, 2, 2, 2, 1})},
            Conv3DAttrs{.stride_d = 2, .stride_w = 2, .padding = Padding::kSame}, sums);
  table.add(Op::conv3d, {floats({1, 4, 2, 2, 1}), floats({2, 1, 2, 1, 2})}, Conv3DAttrs{.dilation_d = 2},
            sums);
  table.add(Op::conv3d, {floats({2, 6, 7, 5, 4}), floats({3, 3, 2, 4, 8})},
            Conv3DAttrs{.padding = Padding::kSame}, sums);
  table.add(Op::conv3d_transpose, {floats({1, 2, 2, 2, 2}), floats({3, 2, 1, 1, 2})},
            Conv3DTransposeAttrs{
                .output_shape = {1, 3, 3, 2, 1}, .stride_d = 2, .stride_h = 2, .padding = Padding::kSame},
            sums);
  table.add(Op::conv3d_transpose, {floats({1, 2, 3, 2, 1}), floats({2, 1, 2, 2, 1})},
            Conv3DTransposeAttrs{.output_shape = {1, 3, 3, 3, 2}}, sums);
  for (const Op op : {Op::max_pool3d, Op::avg_pool3d}) {
    table.add(op, {floats({1, 3, 3, 2, 1})},
              Pool3DAttrs{.window_d = 2, .window_h = 2, .stride_d = 2, .padding = Padding::kSame});
    table.add(
        op, {floats({1, 2, 3, 2, 1})},
        Pool3DAttrs{.window_d = 2, .window_h = 2, .window_w = 2, .padding = Padding::kExplicit, .pad = 1});
    table.add(op, {floats({2, 4, 4, 5, 4})},
              Pool3DAttrs{.window_d = 2, .window_h = 3, .window_w = 2, .stride_h = 2});
  }
  // Windows entirely in the padding.
  table.add(Op::avg_pool3d, {floats({1, 2, 3, 2, 1})},
            Pool3DAttrs{.window_d = 2, .window_w = 2, .padding = Padding::kExplicit, .pad = 1});
  table.add(Op::max_pool3d, {ints({1, 3, 3, 2, 1})}, Pool3DAttrs{.window_d = 2, .window_h = 2});
}

}  // namespace tenure::cases
