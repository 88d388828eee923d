#include "import/onnx/control.h"

namespace tenure::onnx::control {
namespace {

Tensor constant(const Call& call) { return call.node().constant; }

}  // namespace

constexpr Row kIfRow{"If", Control::kIf};
constexpr Row kWhileRow{"Loop", Control::kWhile};
constexpr Row kConstantRow{"Constant", constant};

}  // namespace tenure::onnx::control
