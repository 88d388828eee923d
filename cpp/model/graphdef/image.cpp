#include "model/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

template <Tensor (*resize)(const Tensor&, const ResizeAttrs&)>
Tensor resized(const Call& call) {
  const Dims size = call.dims(1);
  check_shape(size.rank == 2, "expected a size of 2 numbers, got ", size.rank);
  return resize(call[0], {.height = size[0],
                          .width = size[1],
                          .align_corners = call.attrs().flag("align_corners"),
                          .half_pixel_centers = call.attrs().flag("half_pixel_centers")});
}

constexpr Row kRows[] = {
    {"ResizeBilinear", resized<resize_bilinear>},
    {"ResizeNearestNeighbor", resized<resize_nearest_neighbor>},
};

}  // namespace

std::span<const Row> image_rows() { return kRows; }

}  // namespace tenure::graphdef
