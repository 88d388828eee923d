#include "webgpu/shader/operand.h"

#include <array>

#include "core/text.h"

namespace tenure::webgpu {
namespace {

constexpr std::array<const char*, kMaxOperands> kBuffers = {"a", "b", "c", "d", "e", "f"};
constexpr std::array<const char*, kMaxOperands> kSizes = {"size_a", "size_b", "size_c",
                                                          "size_d", "size_e", "size_f"};

/// Returns the expression of vec4 i. `x` is the buffer, `size` the parameter of its size or value.
std::string vec4_expression(Read read, std::string_view x, std::string_view size) {
  switch (read) {
    case Read::kSame: return text(x, "[i]");
    case Read::kScalar: return text("V(params.", size, ")");
    case Read::kOne: return text("V(", x, "[0])");
    case Read::kVec4s: return text(x, "[i%params.", size, "]");
    case Read::kTail: break;
  }
  std::string lanes;
  for (int lane = 0; lane < 4; ++lane) {
    lanes += text(lane > 0 ? "," : "", x, "[(4*i+", lane, ")%params.", size, "]");
  }
  return text("V(", lanes, ")");
}

double get_number(const Tensor& x) {
  switch (x.dtype()) {
    case DType::kFloat32: return *x.data<float>();
    case DType::kBool: return *x.data<std::uint8_t>();
    default: return *x.data<std::int32_t>();
  }
}

}  // namespace

std::optional<Read> get_read(const Tensor& x, const Tensor& out) {
  if (!is_suffix_broadcast(x.shape(), out.shape())) return std::nullopt;
  if (x.elements() == out.elements()) return Read::kSame;
  if (x.elements() == 1) return x.storage()->on_cpu() ? Read::kScalar : Read::kOne;
  return x.elements() % 4 == 0 ? Read::kVec4s : Read::kTail;
}

void add_operand(Dispatch& dispatch, int k, const Tensor& x, Read read) {
  const auto i = static_cast<std::size_t>(k);
  switch (read) {
    case Read::kSame: dispatch.input4(kBuffers[i], x); break;
    case Read::kScalar: dispatch.set_value(kSizes[i], x.dtype(), get_number(x)); break;
    case Read::kOne: dispatch.input(kBuffers[i], x); break;
    case Read::kVec4s:
      dispatch.input4(kBuffers[i], x).set(kSizes[i], static_cast<int>(x.elements() / 4));
      break;
    case Read::kTail: dispatch.input(kBuffers[i], x).set(kSizes[i], static_cast<int>(x.elements())); break;
  }
  dispatch.declare(
      text("fn in", k, "(i:i32)->V{return ", vec4_expression(read, kBuffers[i], kSizes[i]), ";}"));
}

}  // namespace tenure::webgpu
