#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "import/onnx/load.h"
#include "protobuf.h"

/// Models of integers, which are int32 in the engine.
namespace tenure::test {

inline constexpr std::int32_t kMax = 2147483647;
inline constexpr std::int32_t kMin = -kMax - 1;

inline Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values) {
  Tensor x({shape, DType::kInt32});
  std::copy(values.begin(), values.end(), x.mutable_data<std::int32_t>());
  return x;
}

inline Tensor floats(const std::vector<float>& values) {
  Tensor x({{static_cast<std::int32_t>(values.size())}, DType::kFloat32});
  std::copy(values.begin(), values.end(), x.mutable_data<float>());
  return x;
}

/// Returns the int32 output "y" of a model of inputs "a", "b", ... of one type, twice: the second run has a
/// plan.
inline std::vector<std::int32_t> run_nodes(const std::string& nodes, int type, const Tensors& given) {
  std::string ports = proto::output(proto::bytes(1, "y"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < given.size(); ++i) {
    names.emplace_back(1, static_cast<char>('a' + i));
    ports += proto::input(
        proto::value(names[i], given[i].dtype() == DType::kFloat32 ? proto::kFloat : type, {}, false));
  }
  GraphModel model = onnx::load_model(proto::as_bytes(proto::model(nodes + ports, 18)));
  const int program = model.compile(names, std::vector<std::string>{"y"});
  const Tensor first = model.run(program, given)[0];
  const Tensor y = model.run(program, given)[0];
  const auto values = y.values<std::int32_t>();
  CHECK(std::equal(values.begin(), values.end(), first.data<std::int32_t>()));
  return {values.begin(), values.end()};
}

}  // namespace tenure::test
