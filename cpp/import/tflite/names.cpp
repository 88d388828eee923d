// The names of builtin ops that have no rows, for error messages.

#include "core/text.h"
#include "import/tflite/row.h"

namespace tenure::tflite {
namespace {

struct Named {
  std::int32_t code;
  std::string_view name;
};

constexpr Named kOthers[] = {
    {10, "HASHTABLE_LOOKUP"},
    {15, "LSH_PROJECTION"},
    {29, "CONCAT_EMBEDDINGS"},
    {30, "SKIP_GRAM"},
    {31, "CALL"},
    {33, "EMBEDDING_LOOKUP_SPARSE"},
    {46, "BIDIRECTIONAL_SEQUENCE_RNN"},
    {51, "DELEGATE"},
    {52, "BIDIRECTIONAL_SEQUENCE_LSTM"},
    {118, "IF"},
    {119, "WHILE"},
    {129, "CALL_ONCE"},
    {131, "RFFT2D"},
    {133, "IMAG"},
    {134, "REAL"},
    {135, "COMPLEX_ABS"},
    {136, "HASHTABLE"},
    {137, "HASHTABLE_FIND"},
    {138, "HASHTABLE_IMPORT"},
    {139, "HASHTABLE_SIZE"},
    {142, "VAR_HANDLE"},
    {143, "READ_VARIABLE"},
    {144, "ASSIGN_VARIABLE"},
    {159, "BITCAST"},
    {161, "RIGHT_SHIFT"},
    {203, "DILATE"},
    {205, "REDUCE_WINDOW"},
};

}  // namespace

std::string name_of_op(std::int32_t code) {
  if (const OpRow* row = find_row(code)) return std::string(row->row.op);
  for (const Named& one : kOthers) {
    if (one.code == code) return std::string(one.name);
  }
  return text("builtin op ", code);
}

}  // namespace tenure::tflite
