#include "ops/math/optimizer.h"

#include "catch.h"
#include "core/error.h"
#include "core/run/dispatch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

constexpr Optimizer kAll[] = {Optimizer::kSgd,      Optimizer::kMomentum,       Optimizer::kAdagrad,
                              Optimizer::kAdadelta, Optimizer::kAdam,           Optimizer::kAdamax,
                              Optimizer::kRmsprop,  Optimizer::kCenteredRmsprop};

Tensor row(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size())});
}

Tensors state_of(Optimizer optimizer) {
  Tensors state = {row({1, -2, 3, -4, 5, -6})};
  while (state.size() <= slot_count(optimizer)) state.push_back(row({0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F}));
  return state;
}

UpdateAttrs make_attrs(Optimizer optimizer) {
  return {.optimizer = optimizer,
          .learning_rate = 0.1F,
          .decay = 0.9F,
          .momentum = 0.5F,
          .beta1 = 0.8F,
          .beta2 = 0.9F,
          .beta1_power = 0.8F,
          .beta2_power = 0.9F,
          .epsilon = 1e-7F,
          .nesterov = 1};
}

TEST_CASE("an update writes in place what nobody else sees, and nothing else", "[optimizer]") {
  const Tensor gradient = row({1, 2, 3, -1, -2, -3});
  for (const Optimizer optimizer : kAll) {
    Tensors shared = state_of(optimizer);
    const Tensors others = shared;
    update(make_attrs(optimizer), gradient, shared, 1);
    Tensors alone = state_of(optimizer);
    const void* bytes = alone[0].data<float>();
    update(make_attrs(optimizer), gradient, alone, 1);
    INFO("optimizer " << static_cast<int>(optimizer));
    CHECK(alone[0].data<float>() == bytes);
    const Tensors before = state_of(optimizer);
    for (std::size_t i = 0; i < others.size(); ++i) {
      CHECK(std::ranges::equal(others[i].values<float>(), before[i].values<float>()));
      CHECK(std::ranges::equal(shared[i].values<float>(), alone[i].values<float>()));
    }
    CHECK(!std::ranges::equal(alone[0].values<float>(), before[0].values<float>()));
  }
}

TEST_CASE("an update refuses what does not fit", "[optimizer]") {
  Tensors state = state_of(Optimizer::kAdam);
  const UpdateAttrs attrs = make_attrs(Optimizer::kAdam);
  CHECK_THROWS_AS(update(attrs, row({1, 2}), state, 1), Error);
  CHECK_THROWS_AS(update(attrs, Tensor::from({1, 2, 3, 4, 5, 6}, {6}), state, 1), Error);
  CHECK_THROWS_AS(update(make_attrs(Optimizer::kSgd), state[0], state, 1), Error);
  UpdateAttrs unknown = attrs;
  unknown.optimizer = static_cast<Optimizer>(99);
  CHECK_THROWS_AS(update(unknown, state[0], state, 1), Error);
}

}  // namespace
}  // namespace tenure
