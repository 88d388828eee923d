// The rows of nodes that take the place of Loop, Scan and SequenceMap.

#include <algorithm>

#include "import/onnx/control.h"
#include "import/onnx/sequence.h"
#include "ops/ops.h"

namespace tenure::onnx::control {
namespace {

constexpr std::string_view kSequenceName = "sequence of a loop's outputs";

/// Returns the tensors of an input that is a sequence, or null for another input.
const Tensors* find_tensors(const Call& call, int input) {
  const Resource* object = call.item(input).object.get();
  if (!object || object->kind() != Sequence::kKind) return nullptr;
  return &static_cast<const Sequence*>(object)->tensors;
}

Tensor next_iteration(const Call& call) { return add(call[0], Tensor::scalar(1)); }

Tensor continues(const Call& call) {
  bool holds = call.integer(0) < call.integer(1);
  if (call.size() > 2) holds = holds && call.boolean(2);
  Tensor result({{}, DType::kBool});
  *result.mutable_data<std::uint8_t>() = holds ? 1 : 0;
  return result;
}

EdgeValues empty_sequence(const Call&) { return to_edge_values(std::make_shared<Sequence>()); }

EdgeValues append(const Call& call) {
  call.object<Sequence>(0, kSequenceName)->tensors.push_back(call[1]);
  return {call.item(0)};
}

Tensor stack_sequence(const Call& call) {
  Tensors tensors = call.object<Sequence>(0, kSequenceName)->tensors;
  const std::int32_t axis = call.attrs().integer("axis", 0);
  if (tensors.empty()) {
    Shape shape = call.attrs().shape("shape").value_or(Shape());
    for (std::int32_t& extent : shape) extent = std::max(extent, 0);
    shape.insert(normalize_axis(axis, shape.rank + 1), 0);
    return fill({.shape = shape, .dtype = call.attrs().dtype("dtype")});
  }
  if (call.attrs().flag("reverse")) std::reverse(tensors.begin(), tensors.end());
  return stack(tensors, {axis});
}

Tensor take(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  const std::int32_t index = call.integer(1);
  Dims begin;
  Dims size;
  for (int i = 0; i < x.rank(); ++i) {
    begin.push_back(i == axis ? (call.attrs().flag("reverse") ? x.dim(i) - 1 - index : index) : 0);
    size.push_back(i == axis ? 1 : x.dim(i));
  }
  return squeeze(slice(x, {begin, size}), {Dims{axis}});
}

Tensor extent(const Call& call) {
  return Tensor::scalar(call[0].dim(normalize_axis(call.attrs().integer("axis", 0), call[0].rank())));
}

Tensor sequence_length(const Call& call) {
  const std::size_t length = call.object<Sequence>(0, "sequence")->tensors.size();
  for (int i = 1; i < call.size(); ++i) {
    const Tensors* tensors = find_tensors(call, i);
    check(!tensors || tensors->size() == length, "input ", i, " has ", tensors ? tensors->size() : 0,
          " tensors, input 0 has ", length);
  }
  return Tensor::scalar(static_cast<std::int32_t>(length));
}

EdgeValues element(const Call& call) {
  const Tensors* tensors = find_tensors(call, 0);
  if (!tensors) return {call.item(0)};
  return {EdgeValue((*tensors)[static_cast<std::size_t>(call.integer(1))])};
}

}  // namespace

constexpr Row kNextRow{"Loop", next_iteration};
constexpr Row kContinueRow{"Loop", continues};
constexpr Row kEmptySequenceRow{"Loop", empty_sequence};
constexpr Row kAppendRow{"Loop", append};
constexpr Row kStackRow{"Loop", stack_sequence};
constexpr Row kTakeRow{"Scan", take};
constexpr Row kExtentRow{"Scan", extent};
constexpr Row kLengthRow{"SequenceMap", sequence_length};
constexpr Row kElementRow{"SequenceMap", element};

}  // namespace tenure::onnx::control
