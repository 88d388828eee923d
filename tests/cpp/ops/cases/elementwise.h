#pragma once

#include <span>

#include "ops/cases/case.h"

namespace tenure::cases {

/// A row of ops.def as its expression reads in double, of x or of x and y.
struct ElementwiseRow {
  Op op;
  Rule rule;
  AttrsView attrs;
  double (*value)(double x, double y);

  bool is_binary() const { return op_def(op).kind == OpKind::kBinary; }
};

std::span<const ElementwiseRow> elementwise_rows();

/// A place where a row's expression is smooth, and its derivatives there: those of the first and of the
/// second order, xx, xy, yy.
struct SmoothPoint {
  double x = 0;
  double y = 0;
  double first[2] = {};
  double second[3] = {};
};

/// All of a grid around 0, in double by small steps.
std::vector<SmoothPoint> smooth_points(const ElementwiseRow& row);

}  // namespace tenure::cases
