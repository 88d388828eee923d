// Ops that give elements another shape or another place.

#include <algorithm>
#include <cstdlib>

#include "import/onnx/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

EdgeValues same(const Call& call) { return {call.item(0)}; }

Tensor shape_tensor(const Call& call) {
  const Shape& shape = call[0].shape();
  const auto bound = [&](std::string_view name, std::int32_t otherwise) {
    const std::int32_t at = call.attrs().integer(name, otherwise);
    return std::clamp(at < 0 ? at + shape.rank : at, 0, shape.rank);
  };
  const int start = bound("start", 0);
  const int end = std::max(start, bound("end", shape.rank));
  return Tensor::from(std::span<const std::int32_t>(shape.begin() + start, shape.begin() + end),
                      {end - start});
}

Tensor size(const Call& call) { return Tensor::scalar(static_cast<std::int32_t>(call[0].elements())); }

Tensor reshaped(const Call& call) {
  const Tensor& x = call[0];
  Dims shape;
  if (opset(call) >= 5) {
    shape = call.dims(1);
  } else {
    const std::vector<std::int32_t> list = call.attrs().integers("shape");
    shape = Dims(std::span<const std::int32_t>(list));
  }
  if (!call.attrs().flag("allowzero")) {
    for (int i = 0; i < shape.rank; ++i) {
      if (shape[i] != 0) continue;
      check_shape(i < x.rank(), "extent ", i, " is to be that of the input, of shape ", x.shape());
      shape[i] = x.dim(i);
    }
  }
  return reshape(x, {shape});
}

Tensor flattened(const Call& call) {
  const Tensor& x = call[0];
  std::int32_t axis = call.attrs().integer("axis", 1);
  if (axis < 0) axis += x.rank();
  check_shape(axis >= 0 && axis <= x.rank(), "axis ", axis, " is out of the shape ", x.shape());
  return reshape(x, {Shape{static_cast<std::int32_t>(x.shape().elements(0, axis)),
                           static_cast<std::int32_t>(x.shape().elements(axis, x.rank()))}});
}

Tensor squeezed(const Call& call) {
  const std::optional<Dims> axes = read_axes(call, 1, 13);
  if (axes && axes->empty()) return call[0];
  return squeeze(call[0], {axes.value_or(Dims())});
}

Tensor unsqueezed(const Call& call) {
  const Tensor& x = call[0];
  const std::optional<Dims> axes = read_axes(call, 1, 13);
  check(axes.has_value(), "it has no axes");
  check_shape(x.rank() + axes->rank <= kMaxRank, "a rank of ", x.rank() + axes->rank, " is too high");
  Dims positions;
  for (const std::int32_t axis : *axes) positions.push_back(normalize_axis(axis, x.rank() + axes->rank));
  Shape shape;
  int next = 0;
  for (int i = 0; i < x.rank() + axes->rank; ++i) {
    const bool is_new = positions.contains(i);
    check_shape(is_new || next < x.rank(), "an axis is there twice in ", *axes);
    shape.push_back(is_new ? 1 : x.dim(next++));
  }
  return reshape(x, {shape});
}

Tensor transposed(const Call& call) {
  const std::vector<std::int32_t> list = call.attrs().integers("perm");
  return call[0].rank() < 2 ? call[0] : transpose(call[0], {Dims(std::span<const std::int32_t>(list))});
}

Tensor joined(const Call& call) { return concat(call.tensors(), {call.attrs().integer("axis", 1)}); }

EdgeValues divided(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  std::vector<std::int32_t> sizes;
  if (opset(call) >= 13 && has(call, 1)) {
    sizes = call.integers(1);
  } else if (call.attrs().has("split")) {
    sizes = call.attrs().integers("split");
  } else {
    const std::int32_t count =
        call.attrs().integer("num_outputs", static_cast<std::int32_t>(call.node().outputs));
    check(count > 0 && static_cast<std::uint32_t>(count) == call.node().outputs, "it splits into ", count,
          " parts and has ", call.node().outputs, " outputs");
    const std::int32_t part = (x.dim(axis) + count - 1) / count;
    std::int32_t rest = x.dim(axis);
    for (std::int32_t i = 0; i < count; ++i) {
      sizes.push_back(std::min(part, rest));
      rest -= sizes.back();
    }
  }
  return to_edge_values(split(x, {.sizes = sizes, .axis = axis}));
}

Tensor expanded(const Call& call) {
  return broadcast_to(call[0], {broadcast(call[0].shape(), call.shape(1))});
}

Tensor tiled(const Call& call) { return tile(call[0], {call.dims(1)}); }

/// Repeats the edge: slices of one element, as often as they are wanted, around x.
Tensor extend_edges(Tensor x, const Dims& before, const Dims& after) {
  for (int i = 0; i < x.rank(); ++i) {
    const auto edge = [&](std::int32_t at, std::int32_t count) {
      Dims begin;
      Dims extent;
      Dims reps;
      for (int k = 0; k < x.rank(); ++k) {
        begin.push_back(k == i ? at : 0);
        extent.push_back(k == i ? 1 : x.dim(k));
        reps.push_back(k == i ? count : 1);
      }
      return tile(slice(x, {begin, extent}), {reps});
    };
    std::vector<Tensor> parts;
    if (before[i] > 0) parts.push_back(edge(0, before[i]));
    parts.push_back(x);
    if (after[i] > 0) parts.push_back(edge(x.dim(i) - 1, after[i]));
    if (parts.size() > 1) x = concat(Tensors(parts.begin(), parts.end()), {i});
  }
  return x;
}

/// Repeats x beyond its edges, or mirrors it at these, as often as the pads need.
Tensor extend_periodically(Tensor x, const Dims& before, const Dims& after, bool mirrors) {
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (before[axis] == 0 && after[axis] == 0) continue;
    const std::int64_t extent = x.dim(axis);
    const std::int64_t end = extent + after[axis];
    check_shape(extent > 0 && before[axis] + end < 1 << 24, "cannot pad axis ", axis, " of ", x.shape(),
                " by ", before[axis], " and ", after[axis]);
    const std::int64_t period = mirrors ? std::max<std::int64_t>(1, 2 * (extent - 1)) : extent;
    std::vector<std::int32_t> positions;
    for (std::int64_t i = -before[axis]; i < end; ++i) {
      const std::int64_t at = (i % period + period) % period;
      positions.push_back(static_cast<std::int32_t>(at < extent ? at : period - at));
    }
    x = gather(x, tensor1d(positions), {.axis = axis});
  }
  return x;
}

/// True if no axis is padded by more elements than lie behind its edge.
bool can_mirror_once(const Tensor& x, const Dims& before, const Dims& after) {
  for (int i = 0; i < x.rank(); ++i) {
    if (std::max(before[i], after[i]) >= std::max(1, x.dim(i))) return false;
  }
  return true;
}

/// Removes what negative pads say, and makes these 0.
Tensor crop(const Tensor& x, Dims& before, Dims& after) {
  Dims begin;
  Dims extent;
  bool crops = false;
  for (int i = 0; i < x.rank(); ++i) {
    begin.push_back(std::max(0, -before[i]));
    extent.push_back(std::max(0, x.dim(i) - begin[i] - std::max(0, -after[i])));
    crops = crops || extent[i] != x.dim(i);
    before[i] = std::max(0, before[i]);
    after[i] = std::max(0, after[i]);
  }
  return crops ? slice(x, {begin, extent}) : x;
}

Tensor padded(const Call& call) {
  std::vector<std::int32_t> pads;
  if (opset(call) >= 11) {
    pads = call.integers(1);
  } else {
    pads = call.attrs().integers(opset(call) < 2 ? "paddings" : "pads");
  }
  const int rank = call[0].rank();
  Dims axes;
  if (has(call, 3)) {
    axes = call.dims(3);
  } else {
    for (int i = 0; i < rank; ++i) axes.push_back(i);
  }
  check_shape(pads.size() == 2 * static_cast<std::size_t>(axes.rank), "expected 2 pads for each of ",
              axes.rank, " axes, got ", pads.size(), " in all");
  // Sums of pads and extents fit 32 bits.
  for (const std::int32_t pad : pads)
    check_shape(std::abs(std::int64_t{pad}) < 1 << 29, "it has a pad of ", pad);
  Dims before;
  Dims after;
  for (int i = 0; i < rank; ++i) {
    before.push_back(0);
    after.push_back(0);
  }
  for (int i = 0; i < axes.rank; ++i) {
    const int axis = normalize_axis(axes[i], rank);
    before[axis] = pads[static_cast<std::size_t>(i)];
    after[axis] = pads[static_cast<std::size_t>(i) + static_cast<std::size_t>(axes.rank)];
  }
  const Tensor x = crop(call[0], before, after);
  const std::string_view mode = call.attrs().string("mode", "constant");
  if (mode == "reflect" && can_mirror_once(x, before, after))
    return mirror_pad(x, {.before = before, .after = after});
  if (mode == "reflect" || mode == "wrap") return extend_periodically(x, before, after, mode == "reflect");
  if (mode == "edge") return extend_edges(x, before, after);
  check(mode == "constant", "the mode \"", mode, "\" is not supported");
  const float value = opset(call) < 11 ? static_cast<float>(call.attrs().number("value", 0))
                      : has(call, 2)   ? call.number(2)
                                       : 0;
  const PadAttrs attrs{.before = before, .after = after, .value = value};
  const std::int32_t integer = x.dtype() == DType::kInt32 && has(call, 2) ? call.integer(2) : 0;
  if (static_cast<double>(static_cast<float>(integer)) == integer) return pad(x, attrs);
  // A float does not hold every int32. Sums wrap around.
  const Tensor offset = Tensor::scalar(integer);
  return add(pad(sub(x, offset), {.before = before, .after = after}), offset);
}

constexpr Row kRows[] = {
    {"Concat", joined},        {"Expand", expanded},  {"Flatten", flattened},  {"Identity", same},
    {"Pad", padded},           {"Reshape", reshaped}, {"Shape", shape_tensor}, {"Size", size},
    {"Split", divided},        {"Squeeze", squeezed}, {"Tile", tiled},         {"Transpose", transposed},
    {"Unsqueeze", unsqueezed},
};

}  // namespace

std::span<const Row> movement_rows() { return kRows; }

}  // namespace tenure::onnx
