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
constexpr std::string_view kSource =
    "uniform int width,ends[COUNT];\n"
    "#if WHOLE\n#define V T4\n#define A xa4\n#define B xb4\n#define C xc4\n#define D xd4\n#define E xe4\n"
    "#define F xf4\n#define G xg4\n#define H xh4\n"
    "#else\n#define V T\n#define A xa1\n#define B xb1\n#define C xc1\n#define D xd1\n#define E xe1\n"
    "#define F xf1\n#define G xg1\n#define H xh1\n#endif\n"
    "#define PART(k,X) if(c<ends[k])return X(r*(ends[k]-ends[k-1])+c-ends[k-1]);\n"
    "V at(int e){int r=idiv(e,width),c=e-r*width;if(c<ends[0])return A(r*ends[0]+c);\n"
    "#if COUNT>1\nPART(1,B)\n#endif\n#if COUNT>2\nPART(2,C)\n#endif\n#if COUNT>3\nPART(3,D)\n#endif\n"
    "#if COUNT>4\nPART(4,E)\n#endif\n#if COUNT>5\nPART(5,F)\n#endif\n#if COUNT>6\nPART(6,G)\n#endif\n"
    "#if COUNT>7\nPART(7,H)\n#endif\n"
    "return V(0);}\n"
    "#if WHOLE\nT4 texel(int i){return at(i);}\n#else\nT element(int e){return at(e);}\n#endif\n";

/// Concatenates inputs along the rows of [rows, width] matrices.
void join(std::span<const Tensor> inputs, std::size_t rows, Tensor& out) {
  const auto width_of = [&](const Tensor& x) { return static_cast<int>(x.elements() / rows); };
  const bool whole =
      std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& x) { return width_of(x) % 4 == 0; });
  const int unit = whole ? 4 : 1;
  int ends[kMaxInputsPerDraw];
  int end = 0;
  Pass pass("concat");
  pass.variant("WHOLE", whole).variant("COUNT", static_cast<int>(inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    end += width_of(inputs[i]) / unit;
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
