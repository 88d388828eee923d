// Blocks of the spatial dimensions as batch or as channels, and back: each a reshape and a transpose.
#include "core/error.h"
#include "ops/collapsed_extent.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

Tensor rearrange(const Tensor& x, const Shape& split, const Dims& order, const Shape& out) {
  return reshape(transpose(reshape(x, {split}), {order}), {out});
}

void check_blocks(const Dims& block, const Dims& before, const Dims& after) {
  for (const std::int32_t extent : block)
    check_shape(extent >= 1, "expected blocks of 1 or more, got ", block);
  check_shape(before.size() == block.size() && after.size() == block.size(), "expected ", block.size(),
              " pairs of edges, got ", before.size());
  for (const Dims* edges : {&before, &after})
    for (const std::int32_t edge : *edges)
      check_shape(edge >= 0, "expected edges of 0 or more, got ", *edges);
}

}  // namespace

Tensor batch_to_space(const Tensor& x, const BlocksAttrs& attrs) {
  const Dims& block = attrs.block;
  const int m = block.size();
  check_shape(x.rank() >= 1 + m, "input rank is ", x.rank(), " but should be > than blockShape.length ", m);
  check_shape(attrs.before.size() == m, "crops.length is ", attrs.before.size(),
              " but should be equal to blockShape.length  ", m);
  check_blocks(block, attrs.before, attrs.after);
  const std::int32_t count = collapsed_extent(Shape(block));
  check_shape(x.dim(0) % count == 0, "input tensor batch is ", x.dim(0),
              " but is not divisible by the product of the elements of blockShape ", block, " === ", count);
  Shape split(block);
  split.push_back(x.dim(0) / count);
  Dims order{m};
  Shape whole{x.dim(0) / count};
  SliceAttrs crop;
  crop.begin.push_back(0);
  crop.size.push_back(x.dim(0) / count);
  for (int i = 1; i < x.rank(); ++i) {
    split.push_back(x.dim(i));
    order.push_back(m + i);
    const bool is_spatial = i <= m;
    if (is_spatial) order.push_back(i - 1);
    const std::int32_t extent = collapsed_extent({x.dim(i), is_spatial ? block[i - 1] : 1});
    const std::int64_t cut = is_spatial ? std::int64_t{attrs.before[i - 1]} + attrs.after[i - 1] : 0;
    check_shape(cut <= extent, "cannot crop ", cut, " of ", extent, " elements");
    whole.push_back(extent);
    crop.begin.push_back(is_spatial ? attrs.before[i - 1] : 0);
    crop.size.push_back(static_cast<std::int32_t>(extent - cut));
  }
  return slice(rearrange(x, split, order, whole), crop);
}

Tensor space_to_batch(const Tensor& x, const BlocksAttrs& attrs) {
  const Dims& block = attrs.block;
  const int m = block.size();
  check_shape(x.rank() >= 1 + m, "input rank ", x.rank(), " should be > than [blockShape] ", m);
  check_shape(attrs.before.size() == m, "paddings.shape[0] ", attrs.before.size(),
              " must be equal to [blockShape] ", m);
  check_blocks(block, attrs.before, attrs.after);
  PadAttrs edges;
  for (int i = 0; i < x.rank(); ++i) {
    const bool is_spatial = i >= 1 && i <= m;
    edges.before.push_back(is_spatial ? attrs.before[i - 1] : 0);
    edges.after.push_back(is_spatial ? attrs.after[i - 1] : 0);
    check_shape(
        !is_spatial || (std::int64_t{x.dim(i)} + edges.before[i] + edges.after[i]) % block[i - 1] == 0,
        "input spatial dimensions of ", x.shape(), " with paddings ", attrs.before, " and ", attrs.after,
        " must be divisible by blockShapes ", block);
  }
  const Tensor padded = pad(x, edges);
  Shape split{x.dim(0)};
  Dims order;
  Dims rest{0};
  Shape out{collapsed_extent({x.dim(0), collapsed_extent(Shape(block))})};
  for (int i = 1; i < x.rank(); ++i) {
    const std::int32_t step = i <= m ? block[i - 1] : 1;
    split.push_back(padded.dim(i) / step);
    rest.push_back(split.size() - 1);
    out.push_back(padded.dim(i) / step);
    if (i > m) continue;
    split.push_back(step);
    order.push_back(split.size() - 1);
  }
  for (const std::int32_t axis : rest) order.push_back(axis);
  return rearrange(padded, split, order, out);
}

Tensor depth_to_space(const Tensor& x, const DepthToSpaceAttrs& attrs) {
  const std::int32_t block = attrs.block;
  check_shape(x.rank() == 4, "expected a rank-4 input, got ", x.shape());
  check_shape(block > 1, "blockSize should be > 1 for depthToSpace, but was: ", block);
  const int depth = attrs.channels_first ? 1 : 3;
  const std::int32_t cells = collapsed_extent({block, block});
  const std::int32_t channels = x.dim(depth) / cells;
  check_shape(channels * cells == x.dim(depth), "Dimension size must be evenly divisible by ", cells,
              " but is ", x.dim(depth), " for depthToSpace with input shape ", x.shape());
  const std::int32_t n = x.dim(0);
  if (attrs.channels_first) {
    const std::int32_t h = x.dim(2);
    const std::int32_t w = x.dim(3);
    return rearrange(x, {n, block, block, channels, h, w}, {0, 3, 4, 1, 5, 2},
                     {n, channels, collapsed_extent({h, block}), collapsed_extent({w, block})});
  }
  const std::int32_t h = x.dim(1);
  const std::int32_t w = x.dim(2);
  return rearrange(x, {n, h, w, block, block, channels}, {0, 1, 3, 2, 4, 5},
                   {n, collapsed_extent({h, block}), collapsed_extent({w, block}), channels});
}

}  // namespace tenure::composed
