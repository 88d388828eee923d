#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/run/op.h"
#include "model/executor/definition.h"

namespace tenure::executor {

class Run;

/// What an edge may carry in a tensor's place: TensorFlow's resources and variants refer to one.
class Object {
 public:
  enum class Kind : std::uint8_t { kArray, kList, kTable };

  explicit Object(Kind kind) : kind_(kind) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// What flows along an edge: a tensor, or an object; neither where a branch was not taken.
struct Item {
  Item() = default;
  Item(Tensor value) : tensor(std::move(value)) {}
  Item(std::shared_ptr<Object> value) : object(std::move(value)) {}
  bool is_dead() const { return !tensor && !object; }

  Tensor tensor;
  std::shared_ptr<Object> object;
};
using Items = std::vector<Item>;

/// Thrown while a graph is traced by what needs values that are known only when it runs.
struct NeedsValues {};

/// A node that is to run, with its inputs: what a row's function gets.
class Call {
 public:
  Call(const Node& node, std::span<const Item> in, Run& run) : node_(node), in_(in), run_(run) {}

  const Node& node() const { return node_; }
  const Attributes& attrs() const { return node_.attrs; }
  Run& run() const { return run_; }
  int size() const { return static_cast<int>(in_.size()); }
  std::span<const Item> items() const { return in_; }

  /// The tensor that is input i; it may be symbolic. Throws when there is none.
  const Tensor& operator[](int i) const;
  /// Likewise one whose values can be read now, or NeedsValues is thrown.
  const Tensor& value(int i) const;
  /// The inputs in [first, last).
  Tensors tensors(int first, int last) const;
  Tensors tensors(int first = 0) const { return tensors(first, size()); }
  /// Likewise with values.
  Tensors values(int first, int last) const;
  /// The object that is input i; throws unless it is a T, which `what` names.
  template <class T>
  std::shared_ptr<T> object(int i, std::string_view what) const {
    const std::shared_ptr<Object>& object = item(i).object;
    check(object && object->kind() == T::kKind, "input ", i, " is no ", what);
    return std::static_pointer_cast<T>(object);
  }
  const Item& item(int i) const;

  // Values of an input that says what is to be computed rather than of what: shapes, axes, sizes.
  std::vector<std::int32_t> integers(int i) const;
  /// A list of at most kMaxRank.
  Dims dims(int i) const;
  Shape shape(int i) const { return Shape(dims(i)); }
  std::int32_t integer(int i) const;
  float number(int i) const;
  /// Whether a condition, one value, is not 0.
  bool truth(int i) const;

  /// Goes on only when the graph runs and is not traced.
  void need_values() const;

 private:
  const Node& node_;
  std::span<const Item> in_;
  Run& run_;
};

/// What a Run does itself: it chooses and calls functions.
enum class Control : std::uint8_t { kNone, kMerge, kIf, kWhile, kCall };

/// How an op of a file format runs: as one of ours of the same inputs, or by a function with one result or
/// several.
struct Row {
  using One = Tensor (*)(const Call&);
  using Many = Items (*)(const Call&);

  constexpr Row(std::string_view name, Op as, std::uint8_t count) : op(name), plain(as), inputs(count) {}
  constexpr Row(std::string_view name, One function) : op(name), one(function) {}
  constexpr Row(std::string_view name, Many function, std::string_view names = {})
      : op(name), outputs(names), many(function) {}

  constexpr Row(std::string_view name, Control what, Many function = nullptr, std::string_view names = {})
      : op(name), outputs(names), many(function), control(what) {}

  std::string_view op;
  std::string_view outputs;  ///< names of several, with commas
  One one = nullptr;
  Many many = nullptr;
  Op plain = Op::kCount;
  std::uint8_t inputs = 0;
  Control control = Control::kNone;
};

}  // namespace tenure::executor
