#include "core/strings.h"
#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor text_attribute(const Call& call, std::string_view name) {
  const std::string_view string = call.attrs().string(name);
  return make_string_tensor(std::span(&string, 1), Shape());
}

EdgeValues runs_of_tokens(const Call& call) {
  const Attributes& attrs = call.attrs();
  const std::vector<std::int32_t> widths = attrs.integers("ngram_widths");
  Tensors results = string_n_grams(call.value(0), call.value(1), text_attribute(call, "separator"),
                                   text_attribute(call, "left_pad"), text_attribute(call, "right_pad"),
                                   {.widths = widths,
                                    .pad_width = attrs.integer("pad_width", 0),
                                    .preserve_short_sequences = attrs.flag("preserve_short_sequences")});
  return {results.begin(), results.end()};
}

EdgeValues tokens(const Call& call) {
  Tensors results =
      string_split(call.value(0), call.value(1), {.skip_empty = call.attrs().flag("skip_empty", true)});
  return {results.begin(), results.end()};
}

Tensor buckets(const Call& call) {
  const double given = call.attrs().number("num_buckets", 0);
  check(given >= 1 && given < 0x1p63, "expected from 1 to 2^63 buckets, got ", given);
  const auto count = static_cast<std::uint64_t>(given);
  return string_to_hash_bucket_fast(call.value(0), {.low = static_cast<std::int32_t>(count),
                                                    .high = static_cast<std::int32_t>(count >> 32)})[0];
}

constexpr Row kRows[] = {
    {"StringNGrams", runs_of_tokens, "ngrams,ngrams_splits"},
    {"StringSplit", tokens, "indices,values,shape"},
    {"StringToHashBucketFast", buckets},
};

}  // namespace

std::span<const Row> string_rows() { return kRows; }

}  // namespace tenure::graphdef
