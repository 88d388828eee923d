#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor.h"

namespace tenure::executor {

/// The attributes of a node, as lists of numbers and of strings. A scalar is a list of one. A dtype is its
/// number in the file format, a flag is 0 or 1, a shape is its extents (-1 if unknown), a function is its
/// name.
class Attributes {
 public:
  struct Value {
    std::string name;
    std::vector<double> numbers = {};
    std::vector<std::string> strings = {};
    std::optional<DType> dtype =
        {};  ///< the engine's dtype, if the first number is also the number of a dtype in the file format
    bool is_shape = false;
    bool has_rank = true;
    Tensor tensor = {};
  };

  void add(Value value) { values_.push_back(std::move(value)); }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  double number(std::string_view name, double otherwise) const;
  std::int32_t integer(std::string_view name, std::int32_t otherwise) const;
  std::vector<std::int32_t> integers(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise = false) const { return number(name, otherwise) != 0; }
  std::string_view string(std::string_view name, std::string_view otherwise = {}) const;
  std::span<const std::string> strings(std::string_view name) const;
  std::span<const double> numbers(std::string_view name) const;
  /// Returns the tensor, or an empty one if there is no such attribute.
  Tensor tensor(std::string_view name) const;
  /// Returns the engine's dtype, or `otherwise` if there is no such attribute. Throws if tensors cannot have
  /// the dtype.
  DType dtype(std::string_view name, DType otherwise = DType::kFloat32) const;
  /// Returns the engine's dtype, or nullopt if there is no such attribute or tensors cannot have the dtype.
  std::optional<DType> find_dtype(std::string_view name) const;
  /// Returns the shape, with -1 for unknown extents, or nullopt if it is missing or its rank is unknown.
  std::optional<Shape> shape(std::string_view name) const;

  std::span<const Value> all() const { return values_; }

 private:
  const Value* find(std::string_view name) const;
  std::vector<Value> values_;
};

}  // namespace tenure::executor
