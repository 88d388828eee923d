// Reductions of windows, and sums of all elements up to each.

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kWindowOptions[] = {{"function", 0, Option::kInt}};
constexpr Option kStablehloWindowOptions[] = {{"window_dimensions", 0, Option::kLongs},
                                              {"window_strides", 1, Option::kLongs},
                                              {"base_dilations", 2, Option::kLongs},
                                              {"window_dilations", 3, Option::kLongs},
                                              {"padding", 4, Option::kLongs}};
constexpr Option kCumulateOptions[] = {{"exclusive", 0, Option::kByte}, {"reverse", 1, Option::kByte}};

// The graph of a plan has a node for each element of a window along an axis.
constexpr std::int32_t kMaxWindow = 1 << 12;

Tensor combine(std::int32_t function, const Tensor& a, const Tensor& b) {
  switch (function) {
    case 1: return add(a, b);
    case 2: return mul(a, b);
    case 3: return minimum(a, b);
    case 4: return maximum(a, b);
    case 5: return logical_and(a, b);
    case 6: return logical_or(a, b);
    default: fail("its function is number ", function);
  }
}

/// Reduces each window of x along one axis after the other, then combines the result with input 1, the
/// initial value.
Tensor reduce_windows(const Call& call, Tensor x, const Dims& windows, const Dims& strides,
                      const Dims& dilations) {
  const std::int32_t function = call.attrs().integer("function", 0);
  check_shape(windows.rank == x.rank() && strides.rank == x.rank() && dilations.rank == x.rank(),
              "windows of ", windows.rank, ", strides of ", strides.rank, " and dilations of ",
              dilations.rank, " extents do not fit ", x.shape());
  for (int axis = 0; axis < x.rank(); ++axis) {
    const std::int32_t window = windows[axis];
    check(window > 0 && window <= kMaxWindow && strides[axis] > 0 && dilations[axis] > 0, "along axis ", axis,
          " it has a window of ", window, ", the stride ", strides[axis], " and the dilation ",
          dilations[axis]);
    const std::int64_t reach = std::int64_t{window - 1} * dilations[axis] + 1;
    check_shape(reach <= x.dim(axis), "a window that reaches over ", reach, " elements does not fit extent ",
                x.dim(axis));
    const Shape around = collapse_around(x.shape(), axis);
    const auto span = static_cast<std::int32_t>(x.dim(axis) - reach);
    const Tensor whole = reshape(x, {around});
    Tensor total;
    for (std::int32_t i = 0; i < window; ++i) {
      const std::int32_t begin = i * dilations[axis];
      const Tensor part = strided_slice(whole, {.begin = {0, begin, 0},
                                                .end = {around[0], begin + span + 1, around[2]},
                                                .strides = {1, strides[axis], 1}});
      total = total ? combine(function, total, part) : part;
    }
    Shape shape = x.shape();
    shape[axis] = span / strides[axis] + 1;
    x = reshape(total, {shape});
  }
  check_shape(call[1].elements() == 1, "expected one initial value, got ", call[1].elements());
  return combine(function, x, reshape(call[1], {Shape{}}));
}

Tensor reduced_windows(const Call& call) {
  return reduce_windows(call, call[0], call.dims(2), call.dims(3), call.dims(4));
}

/// Reduces windows of input 0, dilated and padded with the initial value.
Tensor reduced_padded_windows(const Call& call) {
  // Missing lists mean stride 1, dilation 1 and no padding.
  const auto read = [&](std::string_view name, std::size_t count, std::int32_t otherwise) {
    const std::vector<std::int32_t> none(count * static_cast<std::size_t>(call[0].rank()), otherwise);
    return call.attrs().numbers(name).empty() ? none : read_per_axis(call, name, count);
  };
  const auto to_dims = [](const std::vector<std::int32_t>& list) {
    return Dims(std::span<const std::int32_t>(list));
  };
  const std::vector<std::int32_t> padding = read("padding", 2, 0);
  std::vector<std::int32_t> interior = read("base_dilations", 1, 1);
  std::vector<std::int32_t> low;
  std::vector<std::int32_t> high;
  for (std::size_t i = 0; i < interior.size(); ++i) {
    check(interior[i] > 0, "its base dilation along axis ", i, " is ", interior[i]);
    interior[i] -= 1;
    low.push_back(padding[2 * i]);
    high.push_back(padding[2 * i + 1]);
  }
  return reduce_windows(call, pad_and_dilate(call, low, high, interior),
                        to_dims(read_per_axis(call, "window_dimensions")),
                        to_dims(read("window_strides", 1, 1)), to_dims(read("window_dilations", 1, 1)));
}

Tensor accumulated(const Call& call) {
  const CumulateAttrs attrs{call.integer(1), call.attrs().integer("exclusive", 0) != 0,
                            call.attrs().integer("reverse", 0) != 0};
  return run(Op::cumsum, {&call[0]}, AttrsView(attrs));
}

constexpr OpRow kRows[] = {
    {128, {"CUMSUM", accumulated}, kCumulateOptions},
    {kStablehloReduceWindow, {"STABLEHLO_REDUCE_WINDOW", reduced_padded_windows}, kStablehloWindowOptions},
    {205, {"REDUCE_WINDOW", reduced_windows}, kWindowOptions},
};

}  // namespace

std::span<const OpRow> rare_reduction_rows() { return kRows; }

}  // namespace tenure::tflite
