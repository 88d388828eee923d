#include "catch.h"
#include "import/onnx/families.h"

using namespace tenure;
using namespace tenure::onnx;

namespace {

/// Checks that find_group() and find_row() find rows of one domain.
void check_group(RowGroup group, std::string_view domain, std::span<const Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(domain, row.op);
    CHECK(find_group(domain, row.op) == group);
    CHECK(find_row(domain, row.op) == &row);
  }
}

}  // namespace

TEST_CASE("Each op is in the group of the folder of its row", "[onnx]") {
  check_group(RowGroup::kQuantized, "", quantized_rows());
  check_group(RowGroup::kQuantized, kMicrosoft, contrib_quantized_rows());
  check_group(RowGroup::kQuantized, kMicrosoft, block_quantized_rows());
  check_group(RowGroup::kQuantized, kMicrosoft, linear_quantized_rows());
  check_group(RowGroup::kTransformer, "", attention_rows());
  check_group(RowGroup::kTransformer, "", rotary_rows());
  check_group(RowGroup::kTransformer, "", simplified_rows());
  check_group(RowGroup::kTransformer, kMicrosoft, contrib_rows());
  check_group(RowGroup::kTransformer, kMicrosoft, contrib_attention_rows());
  check_group(RowGroup::kTransformer, kMicrosoft, contrib_rotary_rows());
  check_group(RowGroup::kRare, "", sequence_rows());
  check_group(RowGroup::kRare, kMicrosoft, contrib_recurrent_rows());
  check_group(RowGroup::kRare, kMicrosoft, sampling_rows());
  check_group(RowGroup::kRare, kMicrosoft, contrib_unique_rows());
  check_group(RowGroup::kRare, kMicrosoft, rare_contrib_rows());
  check_group(RowGroup::kRare, "", former_rows());
  check_group(RowGroup::kTransformer, kMicrosoft, creation_rows());
  check_group(RowGroup::kRare, "ai.onnx.ml", tree_model_rows());
  check_group(RowGroup::kRare, "ai.onnx.preview.training", training_rows());
  check_group(RowGroup::kCommon, "", math_rows());
}
