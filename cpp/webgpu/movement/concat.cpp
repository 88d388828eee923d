#include <algorithm>
#include <vector>

#include "core/text.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {
namespace {

constexpr std::size_t kMaxInputsPerDispatch = Dispatch::kMaxInputs;
constexpr const char* kNames[kMaxInputsPerDispatch] = {"a", "b", "c", "d", "e", "f", "g"};

/// Returns WGSL that computes unit i of the output from the one input that has it. params.ends has the end of
/// each input in a row.
std::string make_source(std::size_t inputs) {
  std::string source = "fn run(i:i32){let r=i/params.width;let k=i-r*params.width;var start=0;";
  for (std::size_t n = 0; n < inputs; ++n) {
    source += text("let end", n, "=params.ends[", n / 4, "][", n % 4, "];if(k<end", n, "){out[i]=", kNames[n],
                   "[r*(end", n, "-start)+k-start];return;}start=end", n, ";");
  }
  return source += "}";
}

/// Concatenates inputs along the rows of [rows, width] matrices.
void join(std::span<const Tensor> inputs, std::size_t rows, Tensor& out) {
  const auto get_width = [&](const Tensor& x) { return static_cast<int>(x.elements() / rows); };
  const bool by_vec4 =
      std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& x) { return get_width(x) % 4 == 0; });
  int ends[kMaxInputsPerDispatch];
  int end = 0;
  Dispatch dispatch("concat");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    end += get_width(inputs[i]) / (by_vec4 ? 4 : 1);
    ends[i] = end;
    by_vec4 ? dispatch.input4(kNames[i], inputs[i]) : dispatch.input(kNames[i], inputs[i]);
  }
  if (by_vec4) dispatch.output4();
  dispatch.set("width", end).set("ends", std::span<const int>(ends, inputs.size()));
  dispatch.elements(out, make_source(inputs.size()));
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
  while (parts.size() > kMaxInputsPerDispatch) {
    std::vector<Tensor> fewer;
    for (std::span<const Tensor> rest = parts; !rest.empty();) {
      const auto group = rest.first(std::min(kMaxInputsPerDispatch, rest.size()));
      fewer.push_back(group.size() == 1 ? group[0] : joined(group, rows));
      rest = rest.subspan(group.size());
    }
    parts = std::move(fewer);
  }
  join(parts, rows, args.out);
}

}  // namespace tenure::webgpu
