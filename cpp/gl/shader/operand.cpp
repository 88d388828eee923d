#include "gl/shader/operand.h"

#include <array>
#include <string>

#include "core/text.h"
#include "shape_util/broadcast.h"

namespace tenure::gl {
namespace {

constexpr std::array<const char*, kMaxOperands> kTextures = {"a", "b", "c", "d", "e", "f"};
constexpr std::array<const char*, kMaxOperands> kReads = {"READ_0", "READ_1", "READ_2",
                                                          "READ_3", "READ_4", "READ_5"};
constexpr std::array<const char*, kMaxOperands> kSizes = {"size_0", "size_1", "size_2",
                                                          "size_3", "size_4", "size_5"};

std::string make_source(std::size_t k) {
  const std::string_view x = kTextures[k];
  const std::string_view read = kReads[k];
  const std::string_view size = kSizes[k];
  const auto function = [&](std::string_view body) { return text("V in", k, "(int i){", body, "}\n"); };
  const auto element = [&](int j) { return text(x, "1(imod(4*i+", j, ",", size, "))"); };
  return text(
      "#if ", read, "==0\n", function(text("return ", x, "_at_fragment();")),                 //
      "#elif ", read, "==1\nuniform E ", size, ";", function(text("return V(", size, ");")),  //
      "#elif ", read, "==2\n", function(text("return V(", x, "1(0));")),                      //
      "#elif ", read, "==3\nuniform int ", size, ";",
      function(text("return ", x, "4(imod(i,", size, "));")),  //
      "#else\nuniform int ", size, ";",
      function(text("return V(", element(0), ",", element(1), ",", element(2), ",", element(3), ");")),
      "#endif\n");
}

}  // namespace

std::optional<Read> get_read(const Tensor& x, const Tensor& out) {
  if (!is_suffix_broadcast(x.shape(), out.shape())) return std::nullopt;
  if (x.elements() == out.elements()) return Read::kSame;
  if (x.elements() == 1) return x.storage()->on_cpu() ? Read::kNumber : Read::kOne;
  return x.elements() % 4 == 0 ? Read::kTexels : Read::kTail;
}

void add_operand(Pass& pass, int k, const Tensor& x, Read read) {
  const auto i = static_cast<std::size_t>(k);
  pass.variant(kReads[i], static_cast<int>(read));
  if (read != Read::kNumber) {
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
