// `onnx_cases FOLDER...`: runs cases of ONNX's backend tests. A case is a folder with model.onnx and data
// sets of input_N.pb and output_N.pb. Prints a line for each: its name in the folder around it, and "passed"
// or the reason why it did not.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/strings.h"
#include "import/onnx/load.h"
#include "import/onnx/wire.h"
#include "model/executor/program.h"

namespace {

using namespace tenure;
namespace files = std::filesystem;

std::vector<std::byte> read_file(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

using Values = executor::FlatValues;

Tensor read_tensor(std::span<const std::byte> bytes) {
  return onnx::decode_tensor(onnx::read_tensor_proto(bytes), {});
}

/// Appends a value of a file: a TensorProto, a SequenceProto, or an OptionalProto of either.
void read_value(std::span<const std::byte> bytes, std::string_view container, Values& values) {
  constexpr std::uint32_t kTensor = 3;
  constexpr std::uint32_t kSequence = 5;
  if (container.empty()) {
    values.tensors.push_back(read_tensor(bytes));
    values.counts.push_back(Values::kTensor);
    return;
  }
  const bool is_sequence = container == "sequence";
  std::int32_t count = is_sequence ? 0 : Values::kAbsent;
  onnx::Message message(bytes);
  while (message.next()) {
    if (message.field() == kTensor) {
      values.tensors.push_back(read_tensor(message.bytes()));
      count = is_sequence ? count + 1 : Values::kTensor;
    } else if (!is_sequence && message.field() == kSequence) {
      return read_value(message.bytes(), "sequence", values);
    }
  }
  values.counts.push_back(count);
}

/// Returns the values of a data set's files, in the order of the ports.
Values read_values(const files::path& folder, const std::string& kind, const std::vector<GraphPort>& ports) {
  Values values;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const files::path path = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (files::exists(path)) {
      read_value(read_file(path), ports[i].container, values);
    } else {
      values.tensors.emplace_back();
      values.counts.push_back(Values::kTensor);
    }
  }
  return values;
}

bool has_containers(const std::vector<GraphPort>& ports) {
  return std::any_of(ports.begin(), ports.end(),
                     [](const GraphPort& port) { return !port.container.empty(); });
}

/// Runs a program, with values that are no tensors if `with_containers`.
Values run(GraphModel& model, int program, const Values& given, bool with_containers) {
  if (!with_containers) return {model.run(program, given.tensors), {}};
  const std::unique_ptr<executor::Execution> execution = model.start_with_containers(program, given);
  check(!execution->advance(), "it needs an op that is not the engine's");
  return execution->finish_with_containers();
}

/// Throws unless the values are equal, within 1e-5 + 0.1% for floats.
void check_equal(const Tensor& got, const Tensor& want, const std::string& name) {
  check(got.dtype() == want.dtype(), "differs: ", name, " is ", get_name(got.dtype()), ", expected ",
        get_name(want.dtype()));
  check(got.shape() == want.shape(), "differs: ", name, " has the shape ", got.shape(), ", expected ",
        want.shape());
  for (std::size_t i = 0; i < want.elements(); ++i) {
    bool is_equal = false;
    switch (want.dtype()) {
      case DType::kFloat32: {
        const float a = got.data<float>()[i];
        const float b = want.data<float>()[i];
        is_equal =
            a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-5F + 1e-3F * std::abs(b);
        check(is_equal, "differs: ", name, " at ", i, " is ", a, ", expected ", b);
        break;
      }
      case DType::kInt32: {
        const std::int32_t a = got.data<std::int32_t>()[i];
        const std::int32_t b = want.data<std::int32_t>()[i];
        check(a == b, "differs: ", name, " at ", i, " is ", a, ", expected ", b);
        break;
      }
      case DType::kString: check(Strings(got)[i] == Strings(want)[i], "differs: ", name, " at ", i); break;
      default:
        check(got.data<std::uint8_t>()[i] == want.data<std::uint8_t>()[i], "differs: ", name, " at ", i);
        break;
    }
  }
}

void run_case(const files::path& folder) {
  GraphModel model = onnx::load_model(read_file(folder / "model.onnx"));
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  for (const GraphPort& port : model.inputs()) inputs.push_back(port.name);
  for (const GraphPort& port : model.outputs()) outputs.push_back(port.name);
  const int program = model.compile(inputs, outputs);
  const bool with_containers = has_containers(model.inputs()) || has_containers(model.outputs());
  for (int set = 0;; ++set) {
    const files::path data = folder / ("test_data_set_" + std::to_string(set));
    if (!files::exists(data)) return;
    const Values given = read_values(data, "input", model.inputs());
    const Values wanted = read_values(data, "output", model.outputs());
    // The first run makes the plan, the second one uses it.
    for (int i = 0; i < 2; ++i) {
      const Values results = run(model, program, given, with_containers);
      check(!with_containers || results.counts == wanted.counts, "differs: the numbers of tensors");
      for (std::size_t k = 0; k < wanted.tensors.size(); ++k) {
        const std::string name = with_containers ? "tensor " + std::to_string(k) : outputs[k];
        if (wanted.tensors[k]) check_equal(results.tensors.at(k), wanted.tensors[k], name);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const files::path folder = arguments[i];
    std::string result = "passed";
    trim_memory();
    const std::size_t live = allocator_stats().live;
    try {
      run_case(folder);
    } catch (const std::exception& error) {
      result = error.what();
    }
    trim_memory();
    if (allocator_stats().live != live) result = "leaks: " + result;
    for (char& c : result) {
      if (c == '\n') c = ' ';
    }
    const files::path name = folder.parent_path().filename() / folder.filename();
    std::printf("%s\t%s\n", name.c_str(), result.c_str());
    std::fflush(stdout);
  }
}
