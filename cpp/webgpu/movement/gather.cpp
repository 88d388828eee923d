#include <optional>

#include "shape_util/gather.h"
#include "webgpu/kernels.h"
#include "webgpu/movement/gather.wgsl.h"
#include "webgpu/movement/segment_sum.wgsl.h"
#include "webgpu/shader/packed_input.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {

void gather(const KernelArgs& args) {
  const auto attrs = args.attrs.as<GatherAttrs>();
  const Tensor& x = args.in[0];
  const Tensor& indices = args.in[1];
  const int axis = normalize_axis(attrs.axis, x.rank());
  const int batch_dims = attrs.batch_dims < 0 ? attrs.batch_dims + indices.rank() : attrs.batch_dims;
  check_gather_indices_on_device(indices, x.dim(axis));
  const std::size_t run = x.shape().elements(axis + 1, x.rank());
  Vec4Dispatch dispatch("gather", run % 4 == 0);
  const std::optional<PackedInput> packed = PackedInput::find(x);
  if (packed) {
    packed->add_to(dispatch, "x");
    dispatch.declare(dispatch.whole() ? "fn x_unit(i:i32)->U{return x_vector(i);}"
                                      : "fn x_unit(i:i32)->U{return x_element(i);}");
  } else {
    dispatch.units("x", x).declare("fn x_unit(i:i32)->U{return x[i];}");
  }
  dispatch.input("indices", indices)
      .set("outer", static_cast<int>(x.shape().elements(batch_dims, axis)))
      .set("extent", x.dim(axis))
      .set("run", dispatch.count(run))
      .set("count", static_cast<int>(indices.shape().elements(batch_dims, indices.rank())));
  dispatch.run(args.out, wgsl::kGather);
}

void unsorted_segment_sum(const KernelArgs& args) {
  const auto attrs = args.attrs.as<SegmentsAttrs>();
  const Shape& x = args.in[0].shape();
  const Shape& ids = args.in[1].shape();
  const std::size_t run = x.elements(attrs.axis + ids.rank - attrs.batch_dims, x.rank);
  const std::size_t count = ids.elements(attrs.batch_dims, ids.rank);
  constexpr std::size_t kMaxIdReads = std::size_t{1} << 28;
  if (args.in[0].elements() == 0 || args.out.elements() > kMaxIdReads / count)
    return fall_back_to_cpu(Op::unsorted_segment_sum, args);
  Vec4Dispatch dispatch("unsorted_segment_sum", run % 4 == 0);
  dispatch.units("x", args.in[0])
      .constant("IS_BOOL", false)
      .input("ids", args.in[1])
      .set("outer", static_cast<int>(x.elements(attrs.batch_dims, attrs.axis)))
      .set("segments", attrs.segments)
      .set("run", dispatch.count(run))
      .set("count", static_cast<int>(count));
  dispatch.run(args.out, wgsl::kSegmentSum);
}

}  // namespace tenure::webgpu
