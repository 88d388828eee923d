#include <algorithm>

#include "core/error.h"
#include "import/keras/channels.h"
#include "import/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

class Flatten final : public UnaryLayer {
 public:
  Flatten(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), channels_first_(is_channels_first(config)) {}

 protected:
  Tensor apply(const Tensor& x) override {
    const Tensor last = to_channels_last(x, channels_first_);
    const auto width = static_cast<std::int32_t>(x.shape().elements(1, x.rank()));
    return reshape(last, {{x.dim(0), width}});
  }

 private:
  bool channels_first_;
};

class Reshape final : public UnaryLayer {
 public:
  Reshape(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), target_(config.dims("target_shape")) {
    int unknown = 0;
    for (std::int32_t& extent : target_) {
      if (extent < 0) {
        extent = -1;
        ++unknown;
      }
    }
    if (unknown > 1) config.fail("Can only specify one unknown dimension.");
  }

 protected:
  // With unknown input extents the output has the target shape as given, including its -1.
  Specs infer(const Specs& inputs, CallBudget& budget) override {
    const Shape& input = inputs[0].shape;
    if (std::find(input.begin() + std::min(1, input.rank), input.end(), -1) == input.end())
      return UnaryLayer::infer(inputs, budget);
    Shape shape(target_);
    shape.insert(0, input[0]);
    return {{shape, inputs[0].dtype}};
  }
  Tensor apply(const Tensor& x) override {
    Dims shape = target_;
    std::size_t known = 1;
    std::int32_t* unknown = nullptr;
    for (std::int32_t& extent : shape) {
      if (extent < 0) {
        unknown = &extent;
      } else {
        check_shape(extent == 0 || known <= SIZE_MAX / 2 / static_cast<std::size_t>(extent), kMismatch);
        known *= static_cast<std::size_t>(extent);
      }
    }
    const std::size_t given = x.shape().elements(1, x.rank());
    check_shape(unknown ? known > 0 && given % known == 0 : given == known, kMismatch);
    if (unknown) *unknown = static_cast<std::int32_t>(given / known);
    shape.insert(0, x.dim(0));
    return reshape(x, {shape});
  }

 private:
  static constexpr const char* kMismatch = "Total size of new array must be unchanged.";
  Dims target_;
};

class Permute final : public UnaryLayer {
 public:
  Permute(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), order_{config.dims("dims")} {
    for (int i = 1; i <= order_.perm.rank; ++i) {
      if (!order_.perm.contains(i)) {
        config.fail("Invalid permutation `dims`: ", order_.perm,
                    " `dims` must contain consecutive integers starting from 1.");
      }
    }
    order_.perm.insert(0, 0);
  }

 protected:
  Tensor apply(const Tensor& x) override { return transpose(x, order_); }

 private:
  PermutationAttrs order_;
};

class RepeatVector final : public UnaryLayer {
 public:
  RepeatVector(std::string class_name, const Config& config)
      : UnaryLayer(std::move(class_name), config), count_(config.positive("n")) {}

 protected:
  Tensor apply(const Tensor& x) override {
    check_shape(x.rank() == 2, "repeat() expects a rank-2 tensor, but received a rank-", x.rank(),
                " tensor.");
    const Tensor column = expand_dims(x, {1});
    return tile(column, {{1, count_, 1}});
  }

 private:
  int count_;
};

constexpr LayerRow kRows[] = {
    {"Flatten", make<Flatten>},
    {"Reshape", make<Reshape>},
    {"Permute", make<Permute>},
    {"RepeatVector", make<RepeatVector>},
};

}  // namespace

std::span<const LayerRow> shape_layers() { return kRows; }

}  // namespace tenure::keras
