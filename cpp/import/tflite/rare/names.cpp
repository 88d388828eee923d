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
    {kCase, "STABLEHLO_CASE"},
    {167, "STABLEHLO_RESHAPE"},
    {169, "STABLEHLO_CONCATENATE"},
    {170, "STABLEHLO_BROADCAST_IN_DIM"},
    {171, "STABLEHLO_CONVOLUTION"},
    {172, "STABLEHLO_SLICE"},
    {173, "STABLEHLO_CUSTOM_CALL"},
    {174, "STABLEHLO_REDUCE"},
    {185, "STABLEHLO_REMAINDER"},
    {191, "STABLEHLO_COMPARE"},
    {192, "STABLEHLO_CONVERT"},
    {193, "STABLEHLO_DYNAMIC_SLICE"},
    {194, "STABLEHLO_DYNAMIC_UPDATE_SLICE"},
    {196, "STABLEHLO_IOTA"},
    {197, "STABLEHLO_DOT_GENERAL"},
    {199, "STABLEHLO_SORT"},
    {200, "STABLEHLO_WHILE"},
    {202, "STABLEHLO_TRANSPOSE"},
    {kRngBitGenerator, "STABLEHLO_RNG_BIT_GENERATOR"},
    {208, "STABLEHLO_CBRT"},
};

}  // namespace

std::string get_rowless_name(std::int32_t code) {
  for (const Named& one : kOthers) {
    if (one.code == code) return std::string(one.name);
  }
  return text("builtin op ", code);
}

}  // namespace tenure::tflite
