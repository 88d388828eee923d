#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kBilinearOptions[] = {{"align_corners", 2, Option::kByte},
                                       {"half_pixel_centers", 3, Option::kByte}};
constexpr Option kNearestOptions[] = {{"align_corners", 0, Option::kByte},
                                      {"half_pixel_centers", 1, Option::kByte}};

template <Tensor (*resize)(const Tensor&, const ResizeAttrs&)>
Tensor resized(const Call& call) {
  const Dims size = call.dims(1);
  check_shape(size.rank == 2, "expected a size of 2 numbers, got ", size.rank);
  return resize(call[0], {.height = size[0],
                          .width = size[1],
                          .align_corners = call.attrs().integer("align_corners", 0) != 0,
                          .half_pixel_centers = call.attrs().integer("half_pixel_centers", 0) != 0});
}

constexpr OpRow kRows[] = {
    {23, {"RESIZE_BILINEAR", resized<resize_bilinear>}, kBilinearOptions, Quantized::kRounded},
    {97, {"RESIZE_NEAREST_NEIGHBOR", resized<resize_nearest_neighbor>}, kNearestOptions, Quantized::kSame},
};

}  // namespace

std::span<const OpRow> image_rows() { return kRows; }

}  // namespace tenure::tflite
