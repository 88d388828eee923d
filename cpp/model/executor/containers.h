#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/executor/row.h"

/// Values that are not tensors, as a program gives and gets them: lists of tensors, and optional values.
namespace tenure::executor {

/// A list of tensors.
class Sequence final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kSequence;

  explicit Sequence(Tensors list = {}) : Resource(kKind), tensors(std::move(list)) {}

  Tensors tensors;
};

/// The value of an optional without an element.
class Absent final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kAbsent;
  Absent() : Resource(kKind) {}
};

/// Values as a list of tensors, and how many of these each value has: the tensors of a sequence, or kTensor
/// or kAbsent.
struct FlatValues {
  static constexpr std::int32_t kTensor = -1;
  static constexpr std::int32_t kAbsent = -2;

  Tensors tensors = {};
  std::vector<std::int32_t> counts = {};

  /// Appends a value. Returns false, and appends nothing, if it is dead or an object of another kind.
  bool append(const EdgeValue& value);
  /// Returns the values. Throws if the counts do not fit the number of tensors.
  EdgeValues unflatten() const;
};

}  // namespace tenure::executor
