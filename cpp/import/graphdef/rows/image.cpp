#include "import/graphdef/families.h"
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

Tensor cropped(const Call& call) {
  const Dims size = call.dims(3);
  check_shape(size.rank == 2, "expected a size of 2 numbers, got ", size.rank);
  return crop_and_resize(call[0], call[1], call[2],
                         {.height = size[0],
                          .width = size[1],
                          .nearest = call.attrs().string("method") == "nearest",
                          .outside = static_cast<float>(call.attrs().number("extrapolation_value", 0))});
}

Tensor projected(const Call& call) {
  const Dims size = call.dims(2);
  check_shape(size.rank == 2, "expected a size of 2 numbers, got ", size.rank);
  const std::string_view mode = call.attrs().string("fill_mode", "CONSTANT");
  const FillMode fill = mode == "REFLECT"   ? FillMode::kReflect
                        : mode == "WRAP"    ? FillMode::kWrap
                        : mode == "NEAREST" ? FillMode::kNearest
                                            : FillMode::kConstant;
  return transform(call[0], call[1],
                   {.height = size[0],
                    .width = size[1],
                    .bilinear = call.attrs().string("interpolation") == "BILINEAR",
                    .fill_mode = fill,
                    .fill = call.size() > 3 ? call.number(3) : 0});
}

constexpr Row kRows[] = {
    {"CropAndResize", cropped},
    {"ImageProjectiveTransformV3", projected},
    {"ResizeBilinear", resized<resize_bilinear>},
    {"ResizeNearestNeighbor", resized<resize_nearest_neighbor>},
};

}  // namespace

std::span<const Row> image_rows() { return kRows; }

}  // namespace tenure::graphdef
