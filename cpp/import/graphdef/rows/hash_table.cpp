#include <cstring>

#include "core/interruption.h"
#include "import/graphdef/families.h"
#include "model/executor/executor.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// A hash table from keys to rows of a tensor. A key is the bytes of an element.
class Table final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kTable;

  Table(DType key_dtype, DType value_dtype) : Resource(kKind), keys(key_dtype), dtype(value_dtype) {}

  DType keys;
  DType dtype;
  Tensor values;
  std::unordered_map<std::string, std::uint32_t> rows;
};

/// Returns the bytes of each element as keys. Throws for strings, and unless the tensor has the table's key
/// dtype.
std::vector<std::string> get_keys(const Table& table, const Tensor& tensor) {
  check(tensor.dtype() == table.keys, "Expect key dtype ", get_name(table.keys), ", but got ",
        get_name(tensor.dtype()));
  check(tensor.dtype() != DType::kString, "keys that are strings are not supported");
  const auto* bytes = tensor.data<char>();
  const std::size_t size = element_size(tensor.dtype());
  std::vector<std::string> keys;
  keys.reserve(tensor.elements());
  for (std::size_t i = 0; i < tensor.elements(); ++i) keys.emplace_back(bytes + i * size, size);
  return keys;
}

void check_values(const Table& table, const Tensor& values) {
  check(values.dtype() == table.dtype, "Expect value dtype ", get_name(table.dtype), ", but got ",
        get_name(values.dtype()));
}

std::shared_ptr<Table> get_table(const Call& call) {
  // The contents of a table may change between runs, so look-ups are never folded.
  call.need_values();
  return call.object<Table>(0, "hash table");
}

/// Returns the table of the node's name, which all graphs of a model share. Creates it if there is none.
EdgeValues make(const Call& call) {
  const interruption::CriticalSection resources;
  std::shared_ptr<Resource>& table = call.run().resources()[call.node().name];
  if (!table)
    table = std::make_shared<Table>(call.attrs().dtype("key_dtype"), call.attrs().dtype("value_dtype"));
  return {table};
}

EdgeValues import(const Call& call) {
  const auto table = get_table(call);
  const Tensor& values = call.value(2);
  check_values(*table, values);
  const std::vector<std::string> keys = get_keys(*table, call.value(1));
  check_shape(values.rank() > 0 && static_cast<std::size_t>(values.dim(0)) == keys.size(),
              "The number of elements doesn't match, keys has ", keys.size(),
              " elements, the values has shape ", values.shape());
  std::unordered_map<std::string, std::uint32_t> rows;
  for (std::size_t i = 0; i < keys.size(); ++i) rows[keys[i]] = static_cast<std::uint32_t>(i);
  const interruption::CriticalSection contents;
  table->rows = std::move(rows);
  table->values = values;
  return {call.item(0)};
}

Tensor find(const Call& call) {
  const auto table = get_table(call);
  const Tensor& otherwise = call[2];
  check_values(*table, otherwise);
  Shape row = otherwise.shape();
  row.insert(0, 1);
  const Tensor missing = reshape(otherwise, {row});
  const Tensor rows = table->values ? concat({table->values, missing}) : missing;
  const Tensor& keys = call.value(1);
  std::vector<std::int32_t> row_indices;
  for (const std::string& key : get_keys(*table, keys)) {
    const auto at = table->rows.find(key);
    row_indices.push_back(at == table->rows.end() ? rows.dim(0) - 1 : static_cast<std::int32_t>(at->second));
  }
  return gather(rows, Tensor::from(std::span<const std::int32_t>(row_indices), keys.shape()));
}

Tensor size(const Call& call) {
  return Tensor::scalar(static_cast<std::int32_t>(get_table(call)->rows.size()));
}

constexpr Row kRows[] = {
    {"HashTable", make},           {"HashTableV2", make},         {"InitializeTable", import},
    {"InitializeTableV2", import}, {"LookupTableImport", import}, {"LookupTableImportV2", import},
    {"LookupTableFind", find},     {"LookupTableFindV2", find},   {"LookupTableSize", size},
    {"LookupTableSizeV2", size},
};

}  // namespace

std::span<const Row> hash_table_rows() { return kRows; }

}  // namespace tenure::graphdef
