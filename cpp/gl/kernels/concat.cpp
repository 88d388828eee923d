#include <algorithm>
#include <vector>

#include "gl/kernels.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {
namespace {

/// Maximum number of inputs that one draw concatenates.
constexpr std::size_t kMaxInputsPerDraw = 8;
constexpr const char* kNames[kMaxInputsPerDraw] = {"xa", "xb", "xc", "xd", "xe", "xf", "xg", "xh"};

// ends: end of each input in a row of the output.
constexpr std::string_view kSource = R"(
  uniform int width, ends[COUNT];
  #if WHOLE
  #define V T4
  #define A xa4
  #define B xb4
  #define C xc4
  #define D xd4
  #define E xe4
  #define F xf4
  #define G xg4
  #define H xh4
  #else
  #define V T
  #define A xa1
  #define B xb1
  #define C xc1
  #define D xd1
  #define E xe1
  #define F xf1
  #define G xg1
  #define H xh1
  #endif
  #define PART(k, X) \
    if (c < ends[k]) return X(r * (ends[k] - ends[k - 1]) + c - ends[k - 1]);

  V at(int e) {
    int r = idiv(e, width), c = e - r * width;
    if (c < ends[0]) return A(r * ends[0] + c);
  #if COUNT > 1
    PART(1, B)
  #endif
  #if COUNT > 2
    PART(2, C)
  #endif
  #if COUNT > 3
    PART(3, D)
  #endif
  #if COUNT > 4
    PART(4, E)
  #endif
  #if COUNT > 5
    PART(5, F)
  #endif
  #if COUNT > 6
    PART(6, G)
  #endif
  #if COUNT > 7
    PART(7, H)
  #endif
    return V(0);
  }

  #if WHOLE
  T4 texel(int i) { return at(i); }
  #else
  T element(int e) { return at(e); }
  #endif
)"_glsl;

/// Concatenates inputs along the rows of [rows, width] matrices.
void join(std::span<const Tensor> inputs, std::size_t rows, Tensor& out) {
  const auto get_width = [&](const Tensor& x) { return static_cast<int>(x.elements() / rows); };
  const bool whole =
      std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& x) { return get_width(x) % 4 == 0; });
  const int unit = whole ? 4 : 1;
  int ends[kMaxInputsPerDraw];
  int end = 0;
  Pass pass("concat");
  pass.variant("WHOLE", whole).variant("COUNT", static_cast<int>(inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    end += get_width(inputs[i]) / unit;
    ends[i] = end;
    pass.input(kNames[i], inputs[i]);
  }
  pass.set("width", end).set("ends", std::span<const int>(ends, inputs.size()));
  whole ? pass.texels(out, kSource) : pass.elements(out, kSource);
}

Tensor joined(std::span<const Tensor> inputs, std::size_t rows) {
  std::size_t elements = 0;
  for (const Tensor& x : inputs) elements += x.elements();
  Tensor out = Tensor::deferred({{static_cast<std::int32_t>(elements)}, inputs[0].dtype()});
  join(inputs, rows, out);
  return out;
}

}  // namespace

void concat(const KernelArgs& args) {
  const Shape& shape = args.out.shape();
  const std::size_t rows = shape.elements(0, normalize_axis(args.attrs.as<AxisAttrs>().axis, shape.size()));
  std::vector<Tensor> parts;
  for (int i = 0; i < args.in.size(); ++i) {
    if (args.in[i].elements() > 0) parts.push_back(args.in[i]);
  }
  while (parts.size() > kMaxInputsPerDraw) {
    std::vector<Tensor> fewer;
    for (std::span<const Tensor> rest = parts; !rest.empty();) {
      const auto group = rest.first(std::min(kMaxInputsPerDraw, rest.size()));
      fewer.push_back(group.size() == 1 ? group[0] : joined(group, rows));
      rest = rest.subspan(group.size());
    }
    parts = std::move(fewer);
  }
  join(parts, rows, args.out);
}

}  // namespace tenure::gl
