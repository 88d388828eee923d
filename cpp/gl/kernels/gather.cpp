#include "shape_util/gather.h"
#include "gl/kernels.h"
#include "gl/shader/vec4_pass.h"

namespace tenure::gl {
namespace {

// x is [batches, outer, extent, run], the indices are [batches, count].
constexpr std::string_view kSource = R"(
  uniform int outer, extent, run, count;

  V at(int e) {
    int row = idiv(e, run),
        column = e - row * run,
        o = idiv(row, count),
        k = row - o * count;
    int index = indices1(idiv(o, outer) * count + k);
    return index >= 0 && index < extent ? X((o * extent + index) * run + column) : V(0);
  }
)"_glsl;

// x is [batches, outer, count, run], the ids are [batches, count], the output [batches, outer, segments,
// run].
constexpr std::string_view kSumSource = R"(
  uniform int outer, segments, run, count;

  V at(int e) {
    int row = idiv(e, run),
        column = e - row * run,
        o = idiv(row, segments),
        segment = row - o * segments,
        first = idiv(o, outer) * count,
        from = o * count * run + column;
    V s = V(0);
    for (int k = 0; k < count; ++k)
      if (ids1(first + k) == segment) s += X(from + k * run);
    return s;
  }
)"_glsl;

}  // namespace

void gather(const KernelArgs& args) {
  const auto attrs = args.attrs.as<GatherAttrs>();
  const Tensor& x = args.in[0];
  const Tensor& indices = args.in[1];
  const int axis = normalize_axis(attrs.axis, x.rank());
  const int batch_dims = attrs.batch_dims < 0 ? attrs.batch_dims + indices.rank() : attrs.batch_dims;
  check_gather_indices_on_device(indices, x.dim(axis));
  const std::size_t run = x.shape().elements(axis + 1, x.rank());
  Vec4Pass pass("gather", run % 4 == 0);
  pass.input("x", x)
      .input("indices", indices)
      .set("outer", static_cast<int>(x.shape().elements(batch_dims, axis)))
      .set("extent", x.dim(axis))
      .set("run", pass.units(run))
      .set("count", static_cast<int>(indices.shape().elements(batch_dims, indices.rank())));
  pass.draw(args.out, kSource);
}

void unsorted_segment_sum(const KernelArgs& args) {
  const auto attrs = args.attrs.as<SegmentsAttrs>();
  const Shape& x = args.in[0].shape();
  const Shape& ids = args.in[1].shape();
  const std::size_t run = x.elements(attrs.axis + ids.rank - attrs.batch_dims, x.rank);
  const std::size_t count = ids.elements(attrs.batch_dims, ids.rank);
  // Each output reads all ids, as fragments cannot scatter.
  constexpr std::size_t kMaxIdReads = std::size_t{1} << 28;
  if (args.in[0].elements() == 0 || args.out.elements() > kMaxIdReads / count)
    return fall_back_to_cpu(Op::unsorted_segment_sum, args);
  Vec4Pass pass("unsorted_segment_sum", run % 4 == 0);
  pass.input("x", args.in[0])
      .input("ids", args.in[1])
      .set("outer", static_cast<int>(x.elements(attrs.batch_dims, attrs.axis)))
      .set("segments", attrs.segments)
      .set("run", pass.units(run))
      .set("count", static_cast<int>(count));
  pass.draw(args.out, kSumSource);
}

}  // namespace tenure::gl
