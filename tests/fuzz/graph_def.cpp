// Fuzzes the loading of a GraphDef as JSON, without weights.

#include "fuzz.h"
#include "import/graphdef/reader.h"
#include "model/files/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    const auto [text] = fuzz::parts_of<1>({data, size});
    graphdef::read_definition(Json::parse(text, "the model"), {});
  });
}
