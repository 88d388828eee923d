// The names of builtin ops that have no rows, for error messages.

#include "core/text.h"
#include "import/tflite/families.h"

namespace tenure::tflite {
namespace {

struct Named {
  std::int32_t code;
  std::string_view name;
};

constexpr Named kOthers[] = {
    {29, "CONCAT_EMBEDDINGS"},
    {31, "CALL"},
    {51, "DELEGATE"},
    {kIf, "IF"},
    {kWhile, "WHILE"},
    {kCallOnce, "CALL_ONCE"},
    {kHashTable, "HASHTABLE"},
    {kHashTableFind, "HASHTABLE_FIND"},
    {kHashTableImport, "HASHTABLE_IMPORT"},
    {kHashTableSize, "HASHTABLE_SIZE"},
    {kVarHandle, "VAR_HANDLE"},
    {kReadVariable, "READ_VARIABLE"},
    {kAssignVariable, "ASSIGN_VARIABLE"},
    {kComposite, "STABLEHLO_COMPOSITE"},
    {209, "STABLEHLO_CASE"},
};

}  // namespace

std::string get_rowless_name(std::int32_t code) {
  for (const Named& one : kOthers) {
    if (one.code == code) return std::string(one.name);
  }
  return text("builtin op ", code);
}

}  // namespace tenure::tflite
