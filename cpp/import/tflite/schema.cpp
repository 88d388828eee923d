#include "import/tflite/schema.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "import/tflite/types.h"

namespace tenure::tflite {
namespace {

/// A function that reads one table into element `i` of a list.
using ReadInto = void (*)(void* list, std::uint32_t i, const Table& table, const void* read);

/// Calls `read_into` for each table, and names the table in errors.
void read_tables(const TableList& tables, std::string_view what, void* list, ReadInto read_into,
                 const void* read) {
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    try {
      read_into(list, i, tables[i], read);
    } catch (const Error& error) {
      fail_with(error.code(), text(what, " ", i, ": ", error.what()));
    }
  }
}

/// Calls `read` with each table and the element of the list that it is for. Names the table in errors.
template <class T, class F>
std::vector<T> read_each(const TableList& tables, std::string_view what, const F& read) {
  // Read in place, as a vector that grows takes more code than the rest of this function.
  std::vector<T> list(tables.size());
  // The loop and its errors are code of one function for all lists.
  const ReadInto read_into = [](void* to, std::uint32_t i, const Table& table, const void* function) {
    (*static_cast<const F*>(function))(table, static_cast<T*>(to)[i]);
  };
  read_tables(tables, what, list.data(), read_into, &read);
  return list;
}

/// Number in the union of quantization details.
constexpr std::uint8_t kBlockwiseQuantization = 2;

/// Throws unless the scales of quantized values are numbers from 0 on, and their zero points values of the
/// type.
void check_quantization(const TensorDef& tensor) {
  if (!is_quantized(tensor)) return;
  for (const float scale : tensor.quantization.scales)
    check(scale >= 0 && scale <= std::numeric_limits<float>::max(), "one of its scales is ", scale);
  const auto [lowest, highest] = get_range(tensor.type);
  for (const std::int32_t zero : tensor.quantization.zeros) {
    check(zero >= lowest && zero <= highest, "one of its zero points is ", zero, ", no value of ",
          get_type_name(tensor.type));
  }
}

void read_tensor(const Table& table, std::size_t buffers, TensorDef& tensor) {
  tensor.name = table.text(3);
  tensor.type = static_cast<ElementType>(table.number<std::int8_t>(1));
  tensor.shape = table.numbers<std::int32_t>(0);
  tensor.signature = table.numbers<std::int32_t>(7);
  tensor.buffer = table.number<std::uint32_t>(2);
  tensor.sparsity = table.table(6);
  tensor.is_variable = table.number<std::uint8_t>(5) != 0;
  check(tensor.buffer < std::max<std::size_t>(buffers, 1), "its buffer is number ", tensor.buffer, " of ",
        buffers);
  if (const std::optional<Table> quantization = table.table(4)) {
    if (quantization->number<std::uint8_t>(4) == kBlockwiseQuantization) {
      tensor.blocks = quantization->table(5);
      check(tensor.blocks.has_value(), "its blockwise quantization has no details");
    } else {
      tensor.quantization.scales = quantization->numbers<float>(2);
      tensor.quantization.zeros = quantization->longs(3);
      tensor.quantization.dimension = quantization->number<std::int32_t>(6);
      check_quantization(tensor);
    }
  }
}

std::vector<std::int32_t> read_tensor_indices(const Table& table, int field, std::size_t tensors,
                                              std::string_view what, std::int32_t lowest = 0) {
  std::vector<std::int32_t> indices = table.numbers<std::int32_t>(field);
  for (const std::int32_t index : indices) {
    check(index >= lowest && index < static_cast<std::int64_t>(tensors), "one of its ", what, " is tensor ",
          index, " of ", tensors);
  }
  return indices;
}

void read_operator(const Table& table, std::size_t tensors, std::size_t codes, OperatorDef& result) {
  result.code = table.number<std::uint32_t>(0);
  result.inputs = read_tensor_indices(table, 1, tensors, "inputs", -1);
  result.outputs = read_tensor_indices(table, 2, tensors, "outputs");
  result.options = table.table(4);
  result.custom_options = table.bytes(5);
  // The options of ops that were added later are in a second union.
  if (!result.options) result.options = table.table(12);
  check(result.code < codes, "its code is number ", result.code, " of ", codes);
}

void read_subgraph(const Table& table, std::size_t codes, std::size_t buffers, SubgraphDef& graph) {
  graph.name = table.text(4);
  graph.tensors = read_each<TensorDef>(table.tables(0), "tensor", [&](const Table& one, TensorDef& tensor) {
    read_tensor(one, buffers, tensor);
  });
  const std::size_t count = graph.tensors.size();
  graph.inputs = read_tensor_indices(table, 1, count, "inputs");
  graph.outputs = read_tensor_indices(table, 2, count, "outputs");
  graph.operators = read_each<OperatorDef>(
      table.tables(3), "operator",
      [&](const Table& one, OperatorDef& op) { read_operator(one, count, codes, op); });
}

void read_code(const Table& table, OperatorCode& code) {
  // Files that know codes beyond 126 only from the second field have 127 in the first.
  code.builtin = std::max<std::int32_t>(table.number<std::int8_t>(0), table.number<std::int32_t>(3));
  check(code.builtin >= 0, "its builtin code is ", code.builtin);
  code.custom = table.text(1);
  code.version = table.number<std::int32_t>(2, 1);
}

void read_signature(const Table& table, std::span<const SubgraphDef> subgraphs, Signature& signature) {
  const auto read = [](const Table& port, SignaturePort& to) {
    to = {port.text(0), port.number<std::uint32_t>(1)};
  };
  signature.key = table.text(2);
  signature.subgraph = table.number<std::uint32_t>(4);
  signature.inputs = read_each<SignaturePort>(table.tables(0), "input", read);
  signature.outputs = read_each<SignaturePort>(table.tables(1), "output", read);
  check(signature.subgraph < subgraphs.size(), "its subgraph is number ", signature.subgraph, " of ",
        subgraphs.size());
  const std::size_t tensors = subgraphs[signature.subgraph].tensors.size();
  for (const auto* ports : {&signature.inputs, &signature.outputs}) {
    for (const SignaturePort& port : *ports)
      check(port.tensor < tensors, "\"", port.name, "\" is tensor ", port.tensor, " of ", tensors);
  }
}

void read_buffer(const Table& table, std::span<const std::byte>& bytes) {
  // Files beyond 2 GB have the bytes behind the FlatBuffer.
  const auto offset = table.number<std::uint64_t>(1);
  bytes = offset > 1 ? table.file().slice(offset, table.number<std::uint64_t>(2)) : table.bytes(0);
}

}  // namespace

ModelDef read_model_def(const FlatBuffer& file) {
  constexpr std::string_view kIdentifier = "TFL3";
  const std::span<const std::byte> identifier = file.slice(4, kIdentifier.size());
  check(std::memcmp(identifier.data(), kIdentifier.data(), kIdentifier.size()) == 0,
        "bytes 4 to 7 are not the identifier \"TFL3\"");
  const Table table = Table::root(file);
  ModelDef model;
  model.bytes = file.size();
  model.description = table.text(3);
  model.codes = read_each<OperatorCode>(table.tables(1), "operator code",
                                        [](const Table& one, OperatorCode& code) { read_code(one, code); });
  model.buffers = read_each<std::span<const std::byte>>(
      table.tables(4), "buffer", [](const Table& one, auto& bytes) { read_buffer(one, bytes); });
  model.subgraphs =
      read_each<SubgraphDef>(table.tables(2), "subgraph", [&](const Table& one, SubgraphDef& graph) {
        read_subgraph(one, model.codes.size(), model.buffers.size(), graph);
      });
  check(!model.subgraphs.empty(), "it has no subgraph");
  model.signatures = read_each<Signature>(
      table.tables(7), "signature",
      [&](const Table& one, Signature& signature) { read_signature(one, model.subgraphs, signature); });
  return model;
}

}  // namespace tenure::tflite
