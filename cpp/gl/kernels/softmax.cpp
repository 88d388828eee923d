#include <algorithm>

#include "gl/kernels.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {
namespace {

// A texel holds the statistics of a row or of one of its parts: the maximum m, and the sum of exp(x - m). NaN
// is ignored by the maximum but makes the sum NaN. A part is `chunk` elements, a multiple of 4.
constexpr std::string_view kStatistics = R"(
  uniform int width, parts, chunk;
  #if WHOLE
  #define INSIDE(x, other) x
  #else
  vec4 inside(vec4 x, int i, ivec2 ends, float other) {
    ivec4 e = i * 4 + ivec4(0, 1, 2, 3);
    return select(lessThan(e, ivec4(ends.x)), vec4(other),
                  select(lessThan(e, ivec4(ends.y)), x, vec4(other)));
  }

  #define INSIDE(x, other) inside(x, i, ends, other)
  #endif

  T4 texel(int t) {
    int row = idiv(t, parts), part = t - row * parts;
    ivec2 ends = row * width + ivec2(part * chunk, part == parts - 1 ? width : (part + 1) * chunk);
    int first = ends.x >> 2, last = (ends.y - 1) >> 2;
    vec4 m4 = vec4(-kInfinity), s4 = vec4(0);
    for (int i = first; i <= last; ++i) m4 = max(m4, INSIDE(x4(i), -kInfinity));
    float m = max(max(m4.x, m4.y), max(m4.z, m4.w)),
        shift = m == -kInfinity ? 0. : m;
    for (int i = first; i <= last; ++i) s4 += INSIDE(exp(x4(i) - shift), 0.);
    return vec4(m, s4.x + s4.y + (s4.z + s4.w), 0, 0);
  }
)"_glsl;

constexpr std::string_view kCombine = R"(
  uniform int parts;

  T4 texel(int row) {
    float m = -kInfinity, s = 0.;
    for (int i = row * parts; i < (row + 1) * parts; ++i) m = max(m, x4(i).x);
    for (int i = row * parts; i < (row + 1) * parts; ++i) {
      vec4 part = x4(i);
      s += part.y * exp(part.x - m);
    }
    return vec4(m, s, 0, 0);
  }
)"_glsl;

constexpr std::string_view kNormalize = R"(
  uniform int width;
  #if LOG
  #define RESULT(x, m, s) x - m - log(s)
  #else
  #define RESULT(x, m, s) exp(x - m) / s
  #endif

  T4 texel(int i) {
    vec4 x = x4(i);
  #if WHOLE
    vec2 row = rows4(idiv(i, width)).xy;
    return RESULT(x, row.x, row.y);
  #else
    int r = idiv(i * 4, width), place = i * 4 - r * width;
    vec4 m, s;
    vec2 row;
  #define ONE(k)            \
    row = rows4(r).xy;      \
    m.k = row.x;            \
    s.k = row.y;            \
    if (++place == width) { \
      place = 0;            \
      ++r;                  \
    }
    ONE(x)
    ONE(y)
    ONE(z)
    ONE(w)
    return RESULT(x, m, s);
  #endif
  }
)"_glsl;

// Minimum number of elements of a part, which one fragment reads, and the number of parts that should run in
// parallel.
constexpr std::size_t kMinPartLength = 1024;
constexpr std::size_t kTargetParts = 256;

Tensor texels_for(std::size_t count) {
  return Tensor::deferred({{static_cast<std::int32_t>(count), 4}, DType::kFloat32});
}

Tensor statistics(const Tensor& x, std::size_t rows, std::size_t width) {
  const std::size_t wanted = std::min(kTargetParts / rows, width / kMinPartLength);
  const std::size_t parts = std::max<std::size_t>(wanted, 1);
  const std::size_t chunk = (width / parts + 3) / 4 * 4;
  Tensor part_statistics = texels_for(rows * parts);
  Pass("softmax_parts")
      .variant("WHOLE", width % 4 == 0)
      .input("x", x)
      .set("width", static_cast<int>(width))
      .set("parts", static_cast<int>(parts))
      .set("chunk", static_cast<int>(chunk))
      .texels(part_statistics, kStatistics);
  if (parts == 1) return part_statistics;
  Tensor row_statistics = texels_for(rows);
  Pass("softmax_rows")
      .input("x", part_statistics)
      .set("parts", static_cast<int>(parts))
      .texels(row_statistics, kCombine);
  return row_statistics;
}

void normalize(const KernelArgs& args, bool log) {
  const Tensor& x = args.in[0];
  const auto width = static_cast<std::size_t>(x.shape().back());
  const Tensor rows = statistics(x, x.elements() / width, width);
  const bool whole = width % 4 == 0;
  Pass("softmax")
      .variant("WHOLE", whole)
      .variant("LOG", log)
      .input("x", x)
      .input("rows", rows)
      .set("width", static_cast<int>(whole ? width / 4 : width))
      .texels(args.out, kNormalize);
}

}  // namespace

void softmax(const KernelArgs& args) { normalize(args, false); }
void log_softmax(const KernelArgs& args) { normalize(args, true); }

}  // namespace tenure::gl
