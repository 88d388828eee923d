#pragma once

#include <span>

#include "ops/cases/case.h"

namespace tenure::cases {

/// Row of ops.def with its expression as a function of doubles: of x, or of x and y.
struct ElementwiseRow {
  Op op;
  DTypeRule rule;
  AttrsView attrs;
  double (*value)(double x, double y);

  bool is_binary() const { return op_def(op).kind == OpKind::kBinary; }
};

std::span<const ElementwiseRow> elementwise_rows();

/// Point where a row's expression is smooth, with its derivatives of first order and of second order: xx, xy,
/// yy.
struct SmoothPoint {
  double x = 0;
  double y = 0;
  double first[2] = {};
  double second[3] = {};
};

/// Returns all smooth points of a grid around 0, with derivatives from finite differences in double.
std::vector<SmoothPoint> smooth_points(const ElementwiseRow& row);

}  // namespace tenure::cases
