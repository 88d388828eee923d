#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/dtype.h"
#include "core/error.h"
#include "core/shape.h"

namespace tenure {

/// A function applied to an op's result before it is stored.
enum class Activation : std::int32_t {
  kLinear,
#define ACTIVATION(name, ...) name,
#include "lists/activations.def"
};

// One struct per row of lists/attrs.def: ConvAttrs, ReduceAttrs ... All members are 32-bit words without
// padding, so that a struct can be copied from and to the scratch words that cross the JavaScript boundary.
// Lists of any length and text are an address and a length of words that outlive the call; an op with such
// attributes is never traced or recorded on a tape.
#define ENUMERATION(Type, ...) enum class Type : std::int32_t { __VA_ARGS__ };
#define INT(name, value) std::int32_t name = value;
#define FLOAT(name, value) float name = value;
#define FLAG(name, value) std::int32_t name = value;
#define DIMS(name) Dims name{};
#define INT_LIST(name) std::span<const std::int32_t> name;
#define TEXT(name) std::string_view name;
#define ENUM(Type, name, value) Type name = value;
#define ATTRS(Name, FIELDS) \
  struct Name##Attrs {      \
    FIELDS                  \
  };
#include "lists/attrs.def"

/// The attributes of any op: a non-owning span of 32-bit words.
class AttrsView {
 public:
  AttrsView() = default;
  explicit AttrsView(std::span<const std::int32_t> words) : words_(words) {}
  template <class T>
    requires std::is_trivially_copyable_v<T>
  explicit AttrsView(const T& attrs)
      : words_(reinterpret_cast<const std::int32_t*>(&attrs), word_count<T>()) {}

  /// Returns a copy as the op's own struct. Throws Error(kInvalid) if the number of words is not that
  /// struct's.
  template <class T>
  T as() const {
    T attrs;
    if (words_.size() != word_count<T>()) [[unlikely]]
      fail_count(word_count<T>());
    if constexpr (!std::is_empty_v<T>) std::memcpy(static_cast<void*>(&attrs), words_.data(), sizeof(T));
    return attrs;
  }
  std::span<const std::int32_t> words() const { return words_; }

 private:
  [[noreturn, gnu::cold]] void fail_count(std::size_t expected) const;
  template <class T>
  static constexpr std::size_t word_count() {
    static_assert(std::is_empty_v<T> || sizeof(T) % sizeof(std::int32_t) == 0);
    return std::is_empty_v<T> ? 0 : sizeof(T) / sizeof(std::int32_t);
  }
  std::span<const std::int32_t> words_;
};

/// The seed that stands for a user's seed of 0, since a seed of 0 lets the engine choose one.
constexpr std::int64_t kSeedOfZero = std::numeric_limits<std::int64_t>::min();
/// Returns the 64-bit seed of an op's attributes: seed_high * 2^32 + seed.
template <class A>
std::int64_t get_seed(const A& attrs) {
  return std::int64_t{attrs.seed_high} * (std::int64_t{1} << 32) + attrs.seed;
}

}  // namespace tenure
