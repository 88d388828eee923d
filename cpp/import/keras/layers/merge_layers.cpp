#include <algorithm>

#include "core/error.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

constexpr std::int32_t kUnknown = -1;

/// Returns the logical and of the masks that are present; empty if none is.
Tensor combine_masks(const Tensors& masks) {
  Tensor all;
  for (const Tensor& mask : masks) {
    if (mask) all = all ? logical_and(all, mask) : mask;
  }
  return all;
}

/// Applies NumPy's broadcasting to shapes with unknown extents (-1), which are assumed to match. An extent of
/// the result is unknown if one side is unknown and the other is unknown, missing or 1.
Shape broadcast_unknown(Shape x, Shape y) {
  const Shape whole_x = x;
  const Shape whole_y = y;
  std::replace(x.begin(), x.end(), kUnknown, 1);
  std::replace(y.begin(), y.end(), kUnknown, 1);
  Shape result = broadcast(x, y);
  for (int i = 0; i < result.rank; ++i) {
    const auto is_unknown = [&](const Shape& shape) { return i < shape.rank && shape.back(i) == kUnknown; };
    if (result.back(i) == 1 && (is_unknown(whole_x) || is_unknown(whole_y))) result.back(i) = kUnknown;
  }
  return result;
}

/// Base of the elementwise merge layers. Combines the inputs from left to right; inputs of lower rank get
/// dimensions of 1 at axis 1.
class Merge : public Layer {
 public:
  using Layer::Layer;

 protected:
  void build(const Specs& inputs, CallBudget&) override {
    check(inputs.size() >= 2, "A merge layer should be called on an Array of at least 2 inputs. Got ",
          inputs.size(), " input(s).");
    std::int32_t batch = kUnknown;
    for (const TensorSpec& input : inputs) {
      if (input.shape.rank == 0 || input.shape[0] == kUnknown) continue;
      check_shape(batch == kUnknown || input.shape[0] == batch,
                  "Can not merge tensors with different batch sizes: ", batch, " and ", input.shape[0]);
      batch = input.shape[0];
    }
  }
  Specs infer(const Specs& inputs, CallBudget&) override {
    int rank = 0;
    for (const TensorSpec& input : inputs) rank = std::max(rank, input.shape.rank);
    TensorSpec result = {{}, inputs[0].dtype};
    for (TensorSpec input : inputs) {
      while (input.shape.rank < rank) input.shape.insert(std::min(1, input.shape.rank), 1);
      result.shape = broadcast_unknown(result.shape, input.shape);
      if (input.dtype == DType::kFloat32) result.dtype = input.dtype;
    }
    return {result};
  }
  Tensors masks(const LayerCall& call) const override { return {combine_masks(call.masks)}; }

  virtual Tensor combine(const Tensor& x, const Tensor& y) = 0;
  virtual Tensor finish(const Tensor& x, std::size_t /*count*/) { return x; }

  Tensors call(const LayerCall& call) override {
    int rank = 0;
    for (const Tensor& input : call.inputs) rank = std::max(rank, input.rank());
    Tensor result = expand_to_rank(call.inputs[0], rank);
    for (std::size_t i = 1; i < call.inputs.size(); ++i)
      result = combine(result, expand_to_rank(call.inputs[i], rank));
    return {finish(result, call.inputs.size())};
  }

 private:
  static Tensor expand_to_rank(Tensor x, int rank) {
    while (x.rank() < rank) x = expand_dims(x, {std::min(1, x.rank())});
    return x;
  }
};

template <Tensor (*kCombine)(const Tensor&, const Tensor&)>
class ElementwiseMerge final : public Merge {
 public:
  using Merge::Merge;

 protected:
  Tensor combine(const Tensor& x, const Tensor& y) override { return kCombine(x, y); }
};

class Average final : public Merge {
 public:
  using Merge::Merge;

 protected:
  Tensor combine(const Tensor& x, const Tensor& y) override { return add(x, y); }
  Tensor finish(const Tensor& x, std::size_t count) override {
    return mul(x, Tensor::scalar(1.0F / static_cast<float>(count)));
  }
};

class Concatenate final : public Layer {
 public:
  Concatenate(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config), axis_(config.integer("axis")) {}

 protected:
  void build(const Specs& inputs, CallBudget&) override {
    check(inputs.size() >= 2, "A `Concatenate` layer should be called on a list of at least 2 inputs");
  }
  // Off the concatenation axis all inputs have the same extents, so one known extent completes the others.
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    Specs completed = inputs;
    const int rank = inputs[0].shape.rank;
    const int axis = normalize_axis(axis_, rank);
    for (const TensorSpec& input : inputs) {
      for (TensorSpec& other : completed) {
        for (int i = 0; i < std::min({rank, input.shape.rank, other.shape.rank}); ++i) {
          if (i != axis && other.shape[i] == kUnknown) other.shape[i] = input.shape[i];
        }
      }
    }
    return Layer::infer(completed, budget);
  }
  // Masks cover the leading dimensions. Along one of these they are concatenated; along any other axis they
  // are combined with a logical and.
  Tensors masks(const LayerCall& call) const override {
    const auto given =
        std::find_if(call.masks.begin(), call.masks.end(), [](const auto& mask) { return bool(mask); });
    if (given == call.masks.end()) return {};
    const int axis = normalize_axis(axis_, call.inputs[0].rank());
    if (axis >= given->rank()) return {combine_masks(call.masks)};
    Tensors parts;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      Shape shape = call.inputs[i].shape();
      while (shape.rank > given->rank()) shape.erase(shape.rank - 1);
      const Tensor all = fill({.shape = shape, .int_value = 1, .dtype = DType::kBool});
      parts.push_back(call.masks[i] ? call.masks[i] : all);
    }
    return {concat(parts, {axis})};
  }
  Tensors call(const LayerCall& call) override { return {concat(call.inputs, {axis_})}; }

 private:
  int axis_;
};

/// Dot products of matching rows, after Keras's batch_dot.
class Dot final : public Layer {
 public:
  Dot(std::string class_name, const Config& config)
      : Layer(std::move(class_name), config),
        axes_(config.dims("axes")),
        normalize_(config.flag("normalize")) {
    if (axes_.rank == 1) axes_.push_back(axes_[0]);
    if (axes_.rank != 2) config.fail("field \"axes\" must hold one or two axes, got ", axes_);
  }

 protected:
  Tensors call(const LayerCall& call) override {
    check(call.inputs.size() == 2, "A `Dot` layer should be called on a list of exactly 2 inputs.");
    Tensor x = call.inputs[0];
    Tensor y = call.inputs[1];
    check_shape(std::min(x.rank(), y.rank()) >= 2 && std::max(x.rank(), y.rank()) <= 3,
                "Dot layer does not support tensors of 4D or higher rank yet.");
    const int x_axis = normalize_axis(axes_[0], x.rank());
    const int y_axis = normalize_axis(axes_[1], y.rank());
    check_shape(x.dim(x_axis) == y.dim(y_axis), "Dimension incompatibility: ", x.dim(x_axis),
                " !== ", y.dim(y_axis));
    if (normalize_) {
      x = l2_normalized(x, x_axis);
      y = l2_normalized(y, y_axis);
    }
    if (x.rank() == 2 && y.rank() == 2 && x_axis == y_axis) {
      const Tensor product = mul(x, y);
      return {sum(product, {.axes = {x_axis}, .keep_dims = true})};
    }
    return {contract(x, x_axis, y, y_axis)};
  }

 private:
  static Tensor l2_normalized(const Tensor& x, int axis) {
    constexpr float kEpsilon = 1e-7F;
    const Tensor squares = square(x);
    const Tensor length = sum(squares, {.axes = {axis}, .keep_dims = true});
    return div(x, sqrt(maximum(length, Tensor::scalar(kEpsilon))));
  }

  // A rank-2 input becomes a batch of matrices with one column or one row; that dimension is squeezed from
  // the result.
  static Tensor contract(Tensor x, int x_axis, Tensor y, int y_axis) {
    Dims ones;
    if (x.rank() == 2) {
      x = expand_dims(x, {2});
      ones.push_back(1);
    }
    if (y.rank() == 2) {
      y = expand_dims(y, {2});
      ones.push_back(2);
    }
    const Tensor product = mat_mul(x, y, {.transpose_a = x_axis == 1, .transpose_b = y_axis == 2});
    return ones.empty() ? product : squeeze(product, {ones});
  }

  Dims axes_;
  bool normalize_;
};

constexpr LayerRow kRows[] = {
    {"Add", make<ElementwiseMerge<add>>},         {"Subtract", make<ElementwiseMerge<sub>>},
    {"Multiply", make<ElementwiseMerge<mul>>},    {"Average", make<Average>},
    {"Maximum", make<ElementwiseMerge<maximum>>}, {"Minimum", make<ElementwiseMerge<minimum>>},
    {"Concatenate", make<Concatenate>},           {"Dot", make<Dot>},
};

}  // namespace

std::span<const LayerRow> merge_layers() { return kRows; }

}  // namespace tenure::keras
