#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/run/op.h"
#include "model/executor/definition.h"

namespace tenure::executor {

class Executor;

/// A value of an edge that is not a tensor: the target of TensorFlow's resource and variant handles.
class Resource {
 public:
  enum class Kind : std::uint8_t { kArray, kList, kTable, kSequence, kAbsent };

  explicit Resource(Kind kind) : kind_(kind) {}
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;
  virtual ~Resource() = default;
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// The value of an edge: a tensor or an object. It is dead, with neither, in a branch that was not taken.
struct EdgeValue {
  EdgeValue() = default;
  EdgeValue(Tensor value) : tensor(std::move(value)) {}
  EdgeValue(std::shared_ptr<Resource> value) : object(std::move(value)) {}
  bool is_dead() const { return !tensor && !object; }

  Tensor tensor;
  std::shared_ptr<Resource> object;
};
using EdgeValues = std::vector<EdgeValue>;

/// Thrown while a graph is traced by nodes that need values which are only known at run time.
struct NeedsValues {};

/// A node to run and the values of its inputs: the argument of a row's function.
class Call {
 public:
  Call(const Node& node, std::span<const EdgeValue> in, Executor& run) : node_(node), in_(in), run_(run) {}

  const Node& node() const { return node_; }
  const Attributes& attrs() const { return node_.attrs; }
  Executor& run() const { return run_; }
  int size() const { return static_cast<int>(in_.size()); }
  std::span<const EdgeValue> items() const { return in_; }

  /// Returns the tensor of input i, which may be symbolic. Throws if there is no input i or it is an object.
  const Tensor& operator[](int i) const;
  /// Returns the tensor of input i, which has data. Throws NeedsValues if it is symbolic.
  const Tensor& value(int i) const;
  /// Returns the tensors of the inputs [first, last), which may be symbolic.
  Tensors tensors(int first, int last) const;
  Tensors tensors(int first = 0) const { return tensors(first, size()); }
  /// Returns the tensors of the inputs [first, last), which have data. Throws NeedsValues if one is symbolic.
  Tensors values(int first, int last) const;
  /// Returns the object of input i. Throws unless it is a T, which the message calls `what`.
  template <class T>
  std::shared_ptr<T> object(int i, std::string_view what) const {
    const std::shared_ptr<Resource>& object = item(i).object;
    check(object && object->kind() == T::kKind, "input ", i, " is not a ", what);
    return std::static_pointer_cast<T>(object);
  }
  const EdgeValue& item(int i) const;

  // Values of a parameter input (shape, axis, size). All throw NeedsValues if the tensor is symbolic.
  std::vector<std::int32_t> integers(int i) const;
  /// Returns the values of input i. Throws if it has more than kMaxRank elements.
  Dims dims(int i) const;
  Shape shape(int i) const { return Shape(dims(i)); }
  std::int32_t integer(int i) const;
  float number(int i) const;
  /// True if the only element of input i is not 0. Throws Error(kShape) if it has another number of elements.
  bool boolean(int i) const;

  /// Throws NeedsValues if the graph is being traced.
  void need_values() const;

 private:
  const Node& node_;
  std::span<const EdgeValue> in_;
  Executor& run_;
};

/// The control flow of an op, which Executor implements: it chooses and calls functions. kCase calls that of
/// the attribute "branch i" for i in input 0, and the last of as many as "branches" for any other i.
enum class Control : std::uint8_t { kNone, kMerge, kIf, kCase, kWhile, kCall };

/// The implementation of an op of a file format: an engine op with the same inputs, or a function with one or
/// several results.
struct Row {
  using One = Tensor (*)(const Call&);
  using Many = EdgeValues (*)(const Call&);

  constexpr Row(std::string_view name, Op as, std::uint8_t count) : op(name), direct(as), inputs(count) {}
  constexpr Row(std::string_view name, One function) : op(name), one(function) {}
  constexpr Row(std::string_view name, Many function, std::string_view names = {})
      : op(name), outputs(names), multi(function) {}

  constexpr Row(std::string_view name, Control what, Many function = nullptr, std::string_view names = {})
      : op(name), outputs(names), multi(function), control(what) {}

  std::string_view op;
  std::string_view outputs;  ///< comma-separated names, if there are several
  One one = nullptr;
  Many multi = nullptr;
  Op direct = Op::kCount;
  std::uint8_t inputs = 0;
  Control control = Control::kNone;
};

}  // namespace tenure::executor
