// `onnx_cases FOLDER...`: runs cases of ONNX's backend tests. A case is a folder with model.onnx and data
// sets of input_N.pb and output_N.pb. Prints a line for each: its name in the folder around it, and "passed"
// or the reason why it did not.

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

namespace {

using namespace tenure;
namespace files = std::filesystem;

std::vector<std::byte> read_file(const files::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

/// Returns the tensors of a data set's files, in order.
Tensors read_tensors(const files::path& folder, const std::string& kind) {
  Tensors tensors;
  for (int i = 0;; ++i) {
    const files::path path = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (!files::exists(path)) return tensors;
    const std::vector<std::byte> bytes = read_file(path);
    tensors.push_back(onnx::decode_tensor(onnx::read_tensor_proto(bytes), {}));
  }
}

/// Throws unless the values are equal, within 1e-5 + 0.1% for floats.
void check_equal(const Tensor& got, const Tensor& want, const std::string& name) {
  check(got.dtype() == want.dtype(), "differs: ", name, " is ", name_of(got.dtype()), ", expected ",
        name_of(want.dtype()));
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
  for (int set = 0;; ++set) {
    const files::path data = folder / ("test_data_set_" + std::to_string(set));
    if (!files::exists(data)) return;
    Tensors given = read_tensors(data, "input");
    given.resize(inputs.size());
    const Tensors wanted = read_tensors(data, "output");
    // The first run makes the plan, the second one uses it.
    for (int run = 0; run < 2; ++run) {
      const Tensors results = model.run(program, given);
      for (std::size_t i = 0; i < wanted.size(); ++i) check_equal(results.at(i), wanted[i], outputs[i]);
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
