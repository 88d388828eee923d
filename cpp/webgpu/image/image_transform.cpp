#include "webgpu/image/crop_and_resize.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {

void crop_and_resize(const KernelArgs& args) {
  const auto attrs = args.attrs.as<CropAttrs>();
  const Shape& image = args.in[0].shape();
  if (args.in[0].elements() == 0) return fall_back_to_cpu(Op::crop_and_resize, args);
  Vec4Dispatch dispatch("crop_and_resize", image[3] % 4 == 0);
  dispatch.units("x", args.in[0])
      .input("boxes", args.in[1])
      .input("images", args.in[2])
      .declare(kFloatAliases)
      .constant("NEAREST", attrs.nearest != 0)
      .set("images", image[0])
      .set("in_height", image[1])
      .set("in_width", image[2])
      .set("depth", dispatch.count(image[3]))
      .set("height", attrs.height)
      .set("width", attrs.width)
      .set("outside", attrs.outside);
  dispatch.run(args.out, wgsl::kCropAndResize);
}

}  // namespace tenure::webgpu
