// Hash tables, whose contents are constants of the model.

#include <unordered_map>

#include "core/error.h"
#include "core/interruption.h"
#include "core/strings.h"
#include "import/tflite/reader.h"
#include "model/executor/executor.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr std::string_view kTableName = "table";

/// The positions of a table's keys: strings, or the bytes of int32 values.
class KeyPositions final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kTable;

  KeyPositions() : Resource(kKind) {}

  std::unordered_map<std::string, std::uint32_t> positions;
};

/// Calls `visit` with each key of a tensor.
template <class F>
void for_each_key(const Tensor& keys, const F& visit) {
  if (keys.dtype() == DType::kString) {
    const Strings strings(keys);
    for (std::size_t i = 0; i < strings.size(); ++i) visit(i, std::string(strings[i]));
    return;
  }
  const auto* bytes = keys.data<char>();
  constexpr std::size_t kBytes = sizeof(std::int32_t);
  for (std::size_t i = 0; i < keys.elements(); ++i) visit(i, std::string(bytes + i * kBytes, kBytes));
}

/// Returns the positions of the keys, input `i`, which the model keeps from the first call on. Of equal keys
/// the first one counts.
const KeyPositions& get_positions(const Call& call, int i) {
  Resources& resources = call.run().resources();
  std::string name(call.attrs().string(kTableName));
  auto known = resources.find(name);
  if (known == resources.end()) {
    auto made = std::make_shared<KeyPositions>();
    for_each_key(call.value(i), [&](std::size_t at, std::string key) {
      made->positions.emplace(std::move(key), static_cast<std::uint32_t>(at));
    });
    const interruption::CriticalSection section;
    known = resources.emplace(std::move(name), std::move(made)).first;
  }
  return static_cast<const KeyPositions&>(*known->second);
}

/// Returns the values at positions of `values`, `otherwise` at those that are beyond.
Tensor pick_values(const Tensor& values, const Tensor& otherwise, const std::vector<std::uint32_t>& positions,
                   const Shape& shape) {
  const std::size_t count = values.elements();
  if (otherwise.dtype() == DType::kString) {
    const Strings known(values);
    const Strings rest(otherwise);
    std::vector<std::string_view> found;
    found.reserve(positions.size());
    for (const std::uint32_t at : positions) found.push_back(at < count ? known[at] : rest[0]);
    return make_string_tensor(found, shape);
  }
  std::vector<std::int32_t> found;
  found.reserve(positions.size());
  for (const std::uint32_t at : positions)
    found.push_back(at < count ? values.values<std::int32_t>()[at] : otherwise.values<std::int32_t>()[0]);
  return Tensor::from(std::span<const std::int32_t>(found), shape);
}

/// Returns the values of the keys of input 0, and input 1 for those that the table has not.
Tensor find_values(const Call& call) {
  call.need_values();
  const Tensor& keys = call.value(0);
  const Tensor& otherwise = call.value(1);
  const Tensor& table_keys = call.value(2);
  const Tensor& table_values = call.value(3);
  // Tensors may be computed in other types than those that the file declares.
  check((keys.dtype() == DType::kString) != (otherwise.dtype() == DType::kString) &&
            (keys.dtype() == DType::kInt32 || otherwise.dtype() == DType::kInt32) &&
            table_keys.dtype() == keys.dtype() && table_values.dtype() == otherwise.dtype(),
        "keys of ", get_name(keys.dtype()), " and values of ", get_name(otherwise.dtype()),
        " do not fit the table");
  check_shape(otherwise.elements() == 1, "expected one value for keys that are not there, got ",
              otherwise.elements());
  const auto& known = get_positions(call, 2).positions;
  std::vector<std::uint32_t> positions;
  positions.reserve(keys.elements());
  for_each_key(keys, [&](std::size_t, const std::string& key) {
    const auto at = known.find(key);
    positions.push_back(at == known.end() ? UINT32_MAX : at->second);
  });
  return pick_values(table_values, otherwise, positions, keys.shape());
}

Tensor count_keys(const Call& call) {
  call.need_values();
  return Tensor::from({static_cast<std::int32_t>(get_positions(call, 0).positions.size())}, {1});
}

constexpr Row kFindRow{"HASHTABLE_FIND", find_values};
constexpr Row kSizeRow{"HASHTABLE_SIZE", count_keys};

void check_type(std::string_view what, ElementType type, ElementType expected) {
  check(type == expected, "its ", what, " have the type ", get_type_name(type), ", those of the table ",
        get_type_name(expected));
}

/// Throws if an integer may have been clamped to 32 bits.
void check_range(const Tensor& values) {
  if (values.dtype() != DType::kInt32) return;
  for (const std::int32_t value : values.values<std::int32_t>())
    check(value > INT32_MIN && value < INT32_MAX, "the hash table has an integer beyond 32 bits");
}

HashTable make_table(const OperatorDef& op) {
  const auto type = [&](int field) {
    return static_cast<ElementType>(op.options ? op.options->number<std::int8_t>(field) : 0);
  };
  const HashTable table{.key_type = type(1), .value_type = type(2)};
  const bool is_supported =
      (table.key_type == ElementType::kInt64 && table.value_type == ElementType::kString) ||
      (table.key_type == ElementType::kString && table.value_type == ElementType::kInt64);
  check(is_supported, "hash tables from ", get_type_name(table.key_type), " to ",
        get_type_name(table.value_type), " are not supported");
  return table;
}

}  // namespace

void GraphReader::import_table(const NameScope& scope, const OperatorDef& op, HashTable& table) {
  // A converter may write the import twice. Only the first one counts.
  if (table.keys) return;
  const auto decode = [&](std::size_t input, std::string_view what, ElementType type) {
    const std::int32_t tensor = op.inputs[input];
    check(is_constant(scope, tensor) && scope.aliases[static_cast<std::size_t>(tensor)] < 0, "its ", what,
          " are not constants");
    const TensorDef& def = get_tensor(scope, tensor);
    check_type(what, def.type, type);
    count_decoded(def);
    Tensor values = decode_tensor(def, get_buffer(def));
    check_range(values);
    return values;
  };
  Tensor keys = decode(1, "keys", table.key_type);
  Tensor values = decode(2, "values", table.value_type);
  check_shape(keys.elements() == values.elements(), "there are ", keys.elements(), " keys and ",
              values.elements(), " values");
  table.keys = std::move(keys);
  table.values = std::move(values);
}

void GraphReader::read_table_op(NameScope& scope, const OperatorDef& op, std::int32_t code) {
  if (code == kHashTable) {
    check_inputs(op, 0, 1);
    const std::int32_t number =
        add_variable(text("hash table ", op.options ? op.options->number<std::int32_t>(0) : 0));
    Variable& variable = variables_[static_cast<std::size_t>(number)];
    if (!variable.table) variable.table = make_table(op);
    scope.handles[static_cast<std::size_t>(op.outputs[0])] = number;
    return;
  }
  const bool is_import = code == kHashTableImport;
  check_inputs(op, code == kHashTableSize ? 1 : 3, is_import ? 0 : 1);
  Variable& variable = find_variable(scope, op, true);
  HashTable& table = *variable.table;
  if (is_import) return import_table(scope, op, table);
  check(static_cast<bool>(table.keys), "the hash table is read before it is imported");
  if (table.key_constant.is_absent()) {
    table.key_constant = add_constant(scope, text(variable.name, " keys"), table.keys);
    table.value_constant = add_constant(scope, text(variable.name, " values"), table.values);
  }
  Node node;
  node.name = scope.names[static_cast<std::size_t>(op.outputs[0])];
  add_string(node.attrs, kTableName, variable.name);
  if (code == kHashTableFind) {
    node.row = &kFindRow;
    check_type("keys", get_tensor(scope, op.inputs[1]).type, table.key_type);
    check_type("values", get_tensor(scope, op.inputs[2]).type, table.value_type);
    node.inputs = {find(scope, op.inputs[1], ValueForm::kGraph), find(scope, op.inputs[2], ValueForm::kGraph),
                   table.key_constant, table.value_constant};
  } else {
    node.row = &kSizeRow;
    node.inputs = {table.key_constant};
  }
  node.op = node.row->op;
  scope.values[static_cast<std::size_t>(op.outputs[0])] = {add(scope, std::move(node)), 0};
}

}  // namespace tenure::tflite
