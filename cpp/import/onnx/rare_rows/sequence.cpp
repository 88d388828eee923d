// Sequences of tensors, and optional values.

#include "import/onnx/sequence.h"

#include <algorithm>
#include <numeric>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

std::shared_ptr<Sequence> read_sequence(const Call& call) { return call.object<Sequence>(0, "sequence"); }

/// Returns the position in a sequence that input `input` names, between 0 and `last`. Negative ones count
/// from the end of the sequence.
std::ptrdiff_t read_position(const Call& call, int input, std::int32_t last) {
  const std::int32_t size = static_cast<std::int32_t>(read_sequence(call)->tensors.size());
  const std::int32_t position = call.integer(input);
  check(position >= -size && position <= last, "position ", position,
        " is outside of the sequence, which has ", size, " tensors");
  return position < 0 ? position + size : position;
}

EdgeValues empty_sequence(const Call&) { return to_edge_values(std::make_shared<Sequence>()); }

EdgeValues construct(const Call& call) { return to_edge_values(std::make_shared<Sequence>(call.tensors())); }

EdgeValues insert(const Call& call) {
  Tensors tensors = read_sequence(call)->tensors;
  const auto size = static_cast<std::int32_t>(tensors.size());
  tensors.insert(tensors.begin() + (has(call, 2) ? read_position(call, 2, size) : size), call[1]);
  return to_edge_values(std::make_shared<Sequence>(std::move(tensors)));
}

EdgeValues erase(const Call& call) {
  Tensors tensors = read_sequence(call)->tensors;
  check(!tensors.empty(), "the sequence is empty");
  const std::int32_t last = static_cast<std::int32_t>(tensors.size()) - 1;
  tensors.erase(tensors.begin() + (has(call, 1) ? read_position(call, 1, last) : last));
  return to_edge_values(std::make_shared<Sequence>(std::move(tensors)));
}

Tensor at(const Call& call) {
  const Tensors& tensors = read_sequence(call)->tensors;
  const std::int32_t last = static_cast<std::int32_t>(tensors.size()) - 1;
  return tensors[static_cast<std::size_t>(read_position(call, 1, last))];
}

Tensor length(const Call& call) {
  return Tensor::scalar(static_cast<std::int32_t>(read_sequence(call)->tensors.size()));
}

/// Splits a tensor into parts of the given sizes, or of one size, of which the last may be smaller.
EdgeValues split_to_sequence(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  std::vector<std::int32_t> sizes{1};
  if (has(call, 1)) sizes = call.integers(1);
  if (!has(call, 1) || call[1].rank() == 0) {
    const std::int32_t size = sizes.empty() ? 0 : sizes[0];
    check(size > 0, "it splits into parts of ", size, " elements");
    sizes.assign(static_cast<std::size_t>((x.dim(axis) + std::int64_t{size} - 1) / size), size);
    if (!sizes.empty()) sizes.back() = x.dim(axis) - size * static_cast<std::int32_t>(sizes.size() - 1);
  }
  const auto total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  check_shape(total == x.dim(axis), "parts of ", total, " elements do not make up the ", x.dim(axis),
              " along axis ", axis);
  if (sizes.empty()) return empty_sequence(call);
  Tensors parts = split(x, {.sizes = sizes, .axis = axis});
  if (!has(call, 1) && !call.attrs().flag("keepdims", true)) {
    for (Tensor& part : parts) part = squeeze(part, {Dims{axis}});
  }
  return to_edge_values(std::make_shared<Sequence>(std::move(parts)));
}

Tensor concat_from_sequence(const Call& call) {
  const Tensors& tensors = read_sequence(call)->tensors;
  check(!tensors.empty(), "the sequence is empty");
  const std::int32_t axis = call.attrs().integer("axis", 0);
  if (call.attrs().flag("new_axis")) return stack(tensors, {axis});
  return concat(tensors, {normalize_axis(axis, tensors[0].rank())});
}

EdgeValues make_optional(const Call& call) {
  if (call.size() > 0) return {call.item(0)};
  return {EdgeValue(std::shared_ptr<Resource>(std::make_shared<Absent>()))};
}

bool has_element(const Call& call) {
  if (call.size() == 0 || call.item(0).is_dead()) return false;
  const std::shared_ptr<Resource>& object = call.item(0).object;
  return !object || object->kind() != Resource::Kind::kAbsent;
}

Tensor optional_has_element(const Call& call) {
  Tensor result({{}, DType::kBool});
  *result.mutable_data<std::uint8_t>() = has_element(call) ? 1 : 0;
  return result;
}

EdgeValues optional_get_element(const Call& call) {
  check(has_element(call), "the optional value has no element");
  return {call.item(0)};
}

constexpr Row kRows[] = {
    {"ConcatFromSequence", concat_from_sequence},
    {"Optional", make_optional},
    {"OptionalGetElement", optional_get_element},
    {"OptionalHasElement", optional_has_element},
    {"SequenceAt", at},
    {"SequenceConstruct", construct},
    {"SequenceEmpty", empty_sequence},
    {"SequenceErase", erase},
    {"SequenceInsert", insert},
    {"SequenceLength", length},
    {"SplitToSequence", split_to_sequence},
};

}  // namespace

std::span<const Row> sequence_rows() { return kRows; }

}  // namespace tenure::onnx
