#include "core/error.h"
#include "gl/kernels.h"
#include "gl/units.h"

namespace tenure::gl {
namespace {

// x is [batches, outer, extent, run], the indices are [batches, count].
constexpr std::string_view kSource =
    "uniform int outer,extent,run,count;\n"
    "V at(int e){int row=e/run,column=e-row*run,o=row/count,k=row-o*count;"
    "int index=indices1(o/outer*count+k);"
    "return index>=0&&index<extent?X((o*extent+index)*run+column):V(0);}\n";

// Indices that only the device knows are not fetched to be looked at; one out of range gives 0 there.
void check_indices(const Tensor& indices, std::int32_t extent) {
  if (!indices.storage()->on_cpu() && extent > 0) return;
  for (const std::int32_t index : indices.values<std::int32_t>()) {
    if (index < 0 || index >= extent)
      fail("GatherV2: the index value ", index, " is not in [0, ", extent - 1, "]");
  }
}

}  // namespace

void gather(const KernelArgs& args) {
  const auto attrs = args.attrs.as<GatherAttrs>();
  const Tensor& x = args.in[0];
  const Tensor& indices = args.in[1];
  const int axis = normalize_axis(attrs.axis, x.rank());
  const int batch_dims = attrs.batch_dims < 0 ? attrs.batch_dims + indices.rank() : attrs.batch_dims;
  check_indices(indices, x.dim(axis));
  const std::size_t run = x.shape().elements(axis + 1, x.rank());
  UnitPass pass("gather", run % 4 == 0);
  pass.input("x", x)
      .input("indices", indices)
      .set("outer", static_cast<int>(x.shape().elements(batch_dims, axis)))
      .set("extent", x.dim(axis))
      .set("run", pass.units(run))
      .set("count", static_cast<int>(indices.shape().elements(batch_dims, indices.rank())));
  pass.draw(args.out, kSource);
}

}  // namespace tenure::gl
