#include "ops/cases/case.h"

namespace tenure::cases {
namespace {

constexpr Reduction kReductions[] = {Reduction::kNone, Reduction::kMean, Reduction::kSum,
                                     Reduction::kSumByNonzeroWeights};

void add_weighted(Table& table) {
  for (const Reduction reduction : kReductions) {
    const LossAttrs attrs{.reduction = reduction, .parameter = 0.3F};
    const Input weights = given({2, 1}, {0.5, 2});
    for (const Op op :
         {Op::absolute_difference, Op::mean_squared_error, Op::huber_loss, Op::sigmoid_cross_entropy}) {
      table.add(op, {floats({2, 3}), floats({2, 3}), weights}, attrs);
      table.add(op, {floats({4}), floats({4})}, attrs);
    }
    const Input truth = given({2, 3}, {0, 1, 1, 1, 0, 0}).fixed();
    table.add(Op::hinge_loss, {truth, floats({2, 3}), weights}, attrs);
    table.add(Op::log_loss, {truth, floats({2, 3}).within(0.1F, 0.9F), weights},
              LossAttrs{.reduction = reduction, .parameter = 1e-7F});
    table.add(Op::softmax_cross_entropy,
              {given({2, 3}, {0, 0, 1, 1, 0, 0}), floats({2, 3}), given({2}, {0.5, 2})}, attrs);
    table.add(Op::softmax_cross_entropy, {floats({2, 3}).within(0, 1), floats({2, 3})},
              LossAttrs{.reduction = reduction});
    table.add(Op::cosine_distance, {floats({2, 3}), floats({2, 3}), given({2, 1}, {0.5, 2})},
              AxisLossAttrs{.reduction = reduction, .axis = 1});
    table.add(Op::compute_weighted_loss, {floats({2, 3}), given({2, 3}, {1, 0.5, 2})},
              LossAttrs{.reduction = reduction});
    table.add(Op::compute_weighted_loss, {floats({2, 3})}, LossAttrs{.reduction = reduction});
    table.add(Op::compute_weighted_loss, {floats({2, 3}), given({3}, {1, 0, 2}).fixed()},
              LossAttrs{.reduction = reduction});
    table.add(Op::mean_squared_error, {ints({2, 3}), floats({2, 3})}, LossAttrs{.reduction = reduction});
  }
}

void add_metrics(Table& table) {
  const Input any = floats({2, 3});
  const Input chances = floats({2, 3}).within(0.1F, 0.9F);
  const Input one_hot = given({2, 3}, {0, 0, 1, 1, 0, 0});
  table.add(Op::metric_mean_absolute_percentage_error, {floats({2, 3}).within(1, 3), any});
  for (const Op op : {Op::metric_mean_squared_error, Op::metric_mean_absolute_error, Op::metric_squared_hinge,
                      Op::metric_hinge, Op::metric_categorical_hinge, Op::metric_logcosh,
                      Op::metric_cosine_proximity, Op::metric_r2_score}) {
    table.add(op, {any, any});
    table.add(op, {ints({2, 3}), any});
  }
  for (const Op op : {Op::metric_categorical_crossentropy, Op::metric_binary_crossentropy,
                      Op::metric_kullback_leibler_divergence, Op::metric_poisson,
                      Op::metric_mean_squared_logarithmic_error}) {
    table.add(op, {chances, chances});
    table.add(op, {one_hot.fixed(), chances});
  }
  table.add(Op::metric_sparse_categorical_crossentropy, {given({2, 1}, {2, 0}).fixed(), chances});
  for (const Op op : {Op::metric_binary_accuracy, Op::metric_categorical_accuracy}) {
    table.add(op, {one_hot, chances}, NoneAttrs{}, {.skip_gradients = "counts what is right"});
  }
  table.add(Op::metric_sparse_categorical_accuracy, {given({2, 1}, {2, 0}), chances}, NoneAttrs{},
            {.skip_gradients = "counts what is right"});
  for (const Op op : {Op::metric_precision, Op::metric_recall}) {
    table.add(op, {one_hot, given({2, 3}, {0, 1, 1, 1, 1, 0})}, NoneAttrs{},
              {.skip_gradients = "counts what is right"});
  }
}

void add_normalization(Table& table) {
  const auto add = [&](const Shape& x, const Shape& parameters, bool has_offset, bool has_scale) {
    table.add(Op::batch_norm,
              {floats(x).within(-2, 2), floats(parameters), floats(parameters).within(0.6F, 3),
               has_offset ? floats(parameters) : missing(),
               has_scale ? floats(parameters).within(0.4F, 2) : missing()},
              BatchNormAttrs{.epsilon = 0.01F});
  };
  for (const auto& [x, parameters] : std::initializer_list<std::pair<Shape, Shape>>{
           {{5}, {5}},
           {{2, 3}, {2, 3}},
           {{2, 2, 3}, {3}},
           {{7, 3}, {3}},
           {{200, 1}, {1}},
           {{2, 9, 300}, {300}},
           {{2, 5, 4, 3}, {1, 1, 1, 3}},
           {{2, 5, 4, 3}, {2, 5, 4, 3}},
           {{4, 8}, {4, 8}},
           {{3, 5, 7, 1}, {1}},
           {{3, 5, 7, 2}, {2}},
           {{3, 5, 7, 4}, {4}},
           {{3, 5, 7, 6}, {6}},
           {{3, 5, 7, 64}, {64}},
           {{0, 3}, {3}},
       }) {
    for (const bool has_offset : {false, true})
      for (const bool has_scale : {false, true}) add(x, parameters, has_offset, has_scale);
  }
  table.add(Op::batch_norm, {floats({3, 5}), floats({1, 5}), floats({3, 5}).within(0.6F, 3), floats({3, 5})},
            BatchNormAttrs{});
  table.add(Op::local_response_norm, {floats({1, 2, 1, 4})},
            LocalResponseAttrs{.radius = 1, .bias = 1, .alpha = 0.7F, .beta = 0.6F});
  table.add(Op::local_response_norm, {floats({2, 5, 4, 8})}, LocalResponseAttrs{});
  for (int activation = 0; activation < kActivationCount; ++activation) {
    table.add(Op::add_and_activate, {floats({2, 3}).within(-2, 2), floats({3})},
              ActivateAttrs{.activation = static_cast<Activation>(activation), .alpha = 0.3F});
  }
  table.add(Op::add_and_activate, {ints({2, 3}), ints({3})}, ActivateAttrs{});
}

void add_recurrence(Table& table) {
  table.add(Op::moving_average, {floats({2, 3}), floats({2, 3}), given({}, {0.6}), given({}, {2})});
  table.add(Op::moving_average, {floats({2, 3}), floats({2, 3}), given({}, {0.6})});
  table.add(Op::basic_lstm_cell,
            {floats({}), floats({5, 8}), floats({8}), floats({2, 3}), floats({2, 2}), floats({2, 2})});
}

}  // namespace

void add_losses(Table& table) {
  add_weighted(table);
  add_metrics(table);
  add_normalization(table);
  add_recurrence(table);
}

}  // namespace tenure::cases
