#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor constant(const Call& call) {
  check(call.node().constant.has_data(), "there is no weight of this name");
  return call.node().constant;
}

EdgeValues placeholder(const Call& call) {
  check(call.node().resource != nullptr, "no tensor was given for this input");
  return {call.node().resource};
}

EdgeValues same(const Call& call) { return {call.item(0)}; }
EdgeValues all_the_same(const Call& call) { return {call.items().begin(), call.items().end()}; }

Tensor shape_tensor(const Shape& shape) {
  return Tensor::from(std::span<const std::int32_t>(shape.begin(), shape.end()), {shape.rank});
}

Tensor shape(const Call& call) { return shape_tensor(call[0].shape()); }
EdgeValues shapes(const Call& call) {
  EdgeValues items;
  for (const Tensor& x : call.tensors()) items.emplace_back(shape_tensor(x.shape()));
  return items;
}
Tensor rank(const Call& call) { return Tensor::scalar(static_cast<std::int32_t>(call[0].rank())); }
Tensor size(const Call& call) { return Tensor::scalar(static_cast<std::int32_t>(call[0].elements())); }
Tensor nothing(const Call&) { return Tensor::scalar(1.0F); }

constexpr Row kRows[] = {
    {"Const", constant},
    {"Identity", same},
    {"Placeholder", placeholder},
    {"Shape", shape},
    {"PlaceholderWithDefault", same},
    {"IdentityN", all_the_same},
    {"Snapshot", same},
    {"StopGradient", same},
    {"FakeQuantWithMinMaxVars", same},
    {"ShapeN", shapes},
    {"Rank", rank},
    {"Size", size},
    {"NoOp", nothing},
    {"Print", same},
};

}  // namespace

std::span<const Row> graph_rows() { return kRows; }

}  // namespace tenure::graphdef
