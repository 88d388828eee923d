#pragma once

#include <initializer_list>
#include <string_view>

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// A pass whose source handles texels and elements alike. If `whole`, four neighbours of the last dimension
/// are one texel both in the output and in the input x, and all sizes are set in texels. The source defines V
/// at(int e), where V is the type of a unit, and X(p) reads unit p of x.
class Vec4Pass : public Pass {
 public:
  Vec4Pass(std::string_view name, bool whole) : Pass(name), whole_(whole) { variant("WHOLE", whole); }

  /// Returns `count` elements as a number of units: texels or elements.
  int units(std::size_t count) const { return static_cast<int>(count) / (whole_ ? 4 : 1); }
  int units(std::int32_t count) const { return count / (whole_ ? 4 : 1); }
  void draw(Tensor& out, std::string_view source) {
    constexpr std::string_view kHead = R"(
      #if WHOLE
      #define V T4
      #define X(p) x4(p)
      #else
      #define V T
      #define X(p) x1(p)
      #endif
    )"_glsl;
    whole_ ? texels(out, {kHead, source, "T4 texel(int i) { return at(i); }\n"_glsl})
           : elements(out, {kHead, source, "T element(int e) { return at(e); }\n"_glsl});
  }

 private:
  bool whole_;
};

}  // namespace tenure::gl
