#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace tenure {
class Json;
}

namespace tenure::graphdef {

/// TensorFlow's number of a DataType as one of our types: 64-bit and small integers are int32, halves and
/// doubles float32; nothing for one that we have not.
std::optional<DType> dtype_of(double number);

/// The attributes of a node, as lists of numbers and of words: a scalar is a list of one. A type is its
/// number, a flag 0 or 1, a shape its extents (-1 where it is not known), a function its name.
class Attributes {
 public:
  Attributes() = default;
  /// Reads a node's "attr". Throws for a value that is none of an attribute's forms, naming the attribute.
  explicit Attributes(const Json& json);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  double number(std::string_view name, double otherwise) const;
  std::int32_t integer(std::string_view name, std::int32_t otherwise) const;
  std::vector<std::int32_t> integers(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise = false) const { return number(name, otherwise) != 0; }
  std::string_view word(std::string_view name, std::string_view otherwise = {}) const;
  std::span<const std::string> words(std::string_view name) const;
  std::span<const double> numbers(std::string_view name) const;
  DType dtype(std::string_view name, DType otherwise = DType::kFloat32) const;
  /// Nothing when the shape is missing or its rank is not known.
  std::optional<Shape> shape(std::string_view name) const;

  struct Value {
    std::string name;
    std::vector<double> numbers;
    std::vector<std::string> words;
    bool is_shape = false;
    bool has_rank = true;
  };
  std::span<const Value> all() const { return values_; }

 private:
  const Value* find(std::string_view name) const;
  std::vector<Value> values_;
};

/// Extents of a "shape" or "tensorShape" of a file; -1 where an extent is not known, nothing for an unknown
/// rank. Throws for what is none.
std::optional<Shape> read_shape(const Json& json);

/// A number that JSON may have as a string, as it has 64-bit ones. Throws for anything else.
double read_number(const Json& json);

}  // namespace tenure::graphdef
