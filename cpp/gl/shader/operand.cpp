#include "gl/shader/operand.h"

#include <array>
#include <string>

#include "gl/shader/glsl.h"
#include "shape_util/broadcast.h"

namespace tenure::gl {
namespace {

constexpr std::array<const char*, kMaxOperands> kTextures = {"a", "b", "c", "d", "e", "f"};
constexpr std::array<const char*, kMaxOperands> kReads = {"READ_0", "READ_1", "READ_2",
                                                          "READ_3", "READ_4", "READ_5"};
constexpr std::array<const char*, kMaxOperands> kSizes = {"size_0", "size_1", "size_2",
                                                          "size_3", "size_4", "size_5"};

// READ is a Read, X the texture, SIZE the uniform of its size or value.
constexpr std::string_view kSource = R"(
  #if READ == 0
  V inK(int i) { return X_at_fragment(); }
  #elif READ == 1
  uniform E SIZE;
  V inK(int i) { return V(SIZE); }
  #elif READ == 2
  V inK(int i) { return V(X1(0)); }
  #elif READ == 3
  uniform int SIZE;
  V inK(int i) { return X4(imod(i, SIZE)); }
  #else
  uniform int SIZE;
  V inK(int i) {
    return V(X1(imod(4 * i + 0, SIZE)), X1(imod(4 * i + 1, SIZE)), X1(imod(4 * i + 2, SIZE)),
             X1(imod(4 * i + 3, SIZE)));
  }
  #endif
)"_glsl;

std::string make_source(std::size_t k) {
  return substitute(kSource, {{"READ", kReads[k]}, {"X", kTextures[k]}, {"SIZE", kSizes[k]}, {"K", k}});
}

}  // namespace

std::optional<Read> get_read(const Tensor& x, const Tensor& out) {
  if (!is_suffix_broadcast(x.shape(), out.shape())) return std::nullopt;
  if (x.elements() == out.elements()) return Read::kSame;
  if (x.elements() == 1) return x.storage()->on_cpu() ? Read::kScalar : Read::kOne;
  return x.elements() % 4 == 0 ? Read::kTexels : Read::kTail;
}

void add_operand(Pass& pass, int k, const Tensor& x, Read read) {
  const auto i = static_cast<std::size_t>(k);
  pass.variant(kReads[i], static_cast<int>(read));
  if (read != Read::kScalar) {
    pass.input(kTextures[i], x);
    if (read == Read::kTexels) pass.set(kSizes[i], static_cast<int>(x.elements() / 4));
    if (read == Read::kTail) pass.set(kSizes[i], static_cast<int>(x.elements()));
    return;
  }
  switch (x.dtype()) {
    case DType::kFloat32: pass.set(kSizes[i], *x.data<float>()); break;
    case DType::kBool: pass.set(kSizes[i], static_cast<int>(*x.data<std::uint8_t>())); break;
    default: pass.set(kSizes[i], static_cast<int>(*x.data<std::int32_t>())); break;
  }
}

std::string_view operand_source(int k) {
  static const std::array<std::string, kMaxOperands> kSources = {
      make_source(0), make_source(1), make_source(2), make_source(3), make_source(4), make_source(5)};
  return kSources[static_cast<std::size_t>(k)];
}

}  // namespace tenure::gl
