// Features of texts: runs of words, and hashes of values that are alike for inputs that are alike.

#include <algorithm>
#include <cstring>

#include "core/strings.h"
#include "import/tflite/families.h"
#include "ops/text/fingerprint.h"

namespace tenure::tflite {
namespace {

constexpr Option kGramOptions[] = {{"ngram_size", 0, Option::kInt},
                                   {"max_skip_size", 1, Option::kInt},
                                   {"include_all_ngrams", 2, Option::kByte}};
constexpr Option kProjectionOptions[] = {{"type", 0, Option::kByte}};

// The number of skip-grams grows exponentially with ngram_size.
constexpr std::size_t kMaxSteps = 1 << 22;
constexpr std::size_t kMaxGramBytes = 1 << 26;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Returns the words of a text, between white space. As LiteRT's kernel, it does not look for white space in
/// the first character: the text " a" is one word.
std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  for (std::size_t end = 1; end < text.size(); ++end) {
    if (!is_space(text[end])) continue;
    if (end > start && !is_space(text[start])) words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  if (start < text.size()) words.push_back(text.substr(start));
  return words;
}

std::string join_words(std::span<const std::string_view> words, std::span<const std::size_t> numbers) {
  std::string joined;
  for (const std::size_t number : numbers) {
    if (!joined.empty()) joined += ' ';
    joined += words[number];
  }
  return joined;
}

/// Returns runs of `size` words, or of up to `size` if `takes_all`, between which at most `skip` words are
/// left out.
std::vector<std::string> list_skip_grams(std::span<const std::string_view> words, std::size_t size,
                                         std::size_t skip, bool takes_all) {
  std::vector<std::string> grams;
  if (words.size() < size) return grams;
  std::size_t steps = 0;
  std::size_t bytes = 0;
  std::vector<std::size_t> run;
  std::size_t next = 0;  // the word that the run may be continued with
  while (true) {
    const bool is_near = next < words.size() && (run.empty() || next - run.back() - 1 <= skip);
    if (run.size() < size && is_near) {
      check(++steps <= kMaxSteps, "it has more than ", kMaxSteps, " runs of words");
      run.push_back(next++);
      continue;
    }
    if (run.empty()) return grams;
    if (takes_all || run.size() == size) {
      grams.push_back(join_words(words, run));
      bytes += grams.back().size();
      check(bytes <= kMaxGramBytes, "its runs of words have more than ", kMaxGramBytes, " bytes");
    }
    next = run.back() + 1;
    run.pop_back();
  }
}

Tensor skip_grams(const Call& call) {
  const Tensor& text = call.value(0);
  check_shape(text.dtype() == DType::kString && text.elements() == 1, "expected one string, got ",
              text.shape(), " of ", get_name(text.dtype()));
  const std::int32_t size = read_positive(call, "ngram_size");
  const std::int32_t skip = call.attrs().integer("max_skip_size", 0);
  check(skip >= 0, "its max_skip_size is ", skip);
  const std::vector<std::string_view> words = split_words(Strings(text)[0]);
  const std::vector<std::string> grams =
      list_skip_grams(words, static_cast<std::size_t>(size), static_cast<std::size_t>(skip),
                      call.attrs().integer("include_all_ngrams", 0) != 0);
  const std::vector<std::string_view> views(grams.begin(), grams.end());
  return make_string_tensor(views, {static_cast<std::int32_t>(views.size())});
}

/// Values with a weight each, of which hashes are computed.
struct WeightedItems {
  std::vector<std::byte> bytes;
  std::size_t count;
  std::span<const float> weights;  ///< empty if all are 1

  /// Returns 1 if the sum of the hashes of the seed and each item is above 0, else 0.
  std::uint32_t find_sign(float seed) const {
    const std::size_t size = count == 0 ? 0 : bytes.size() / count;
    std::string key(sizeof(seed) + size, '\0');
    std::memcpy(key.data(), &seed, sizeof(seed));
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(bytes.data() + i * size, size, reinterpret_cast<std::byte*>(key.data() + sizeof(seed)));
      const auto hash = static_cast<double>(static_cast<std::int64_t>(fingerprint64(key)));
      sum += weights.empty() ? hash : hash * static_cast<double>(weights[i]);
    }
    return sum > 0 ? 1 : 0;
  }
};

/// Projects values to bits by hash functions, the rows of input 0, which have a seed for each bit. SPARSE
/// gives the bits of a function as a number that no other function gives, DENSE gives all bits.
Tensor project(const Call& call) {
  constexpr std::int32_t kSparse = 1;
  constexpr std::int32_t kDense = 2;
  constexpr std::int32_t kMaxBits = 32;
  const std::int32_t type = call.attrs().integer("type", 0);
  check(type == kSparse || type == kDense, "its type is number ", type, "; 1 is SPARSE and 2 is DENSE");
  const Tensor& seeds = call.value(0);
  const Tensor& x = call.value(1);
  check_shape(
      seeds.rank() == 2 && seeds.dim(1) <= kMaxBits && seeds.dtype() == DType::kFloat32 && x.rank() > 0,
      "seeds of ", seeds.shape(), " and values of ", x.shape(), " are not supported");
  check(x.dtype() != DType::kString && x.dtype() != DType::kComplex64, "values of ", get_name(x.dtype()),
        " are not supported");
  WeightedItems items{
      encode_elements(x, read_bits_type(call, "input type")), static_cast<std::size_t>(x.dim(0)), {}};
  if (has(call, 2)) {
    const Tensor& weights = call.value(2);
    check_shape(weights.dtype() == DType::kFloat32 && weights.elements() == items.count, "weights of ",
                weights.shape(), " do not fit values of ", x.shape());
    items.weights = weights.values<float>();
  }
  const float* seed = seeds.values<float>().data();
  std::vector<std::int32_t> results;
  for (std::int32_t function = 0; function < seeds.dim(0); ++function) {
    auto signature = static_cast<std::uint64_t>(function);
    for (std::int32_t i = 0; i < seeds.dim(1); ++i) {
      const std::uint32_t bit = items.find_sign(*seed++);
      signature = signature << 1 | bit;
      if (type == kDense) results.push_back(static_cast<std::int32_t>(bit));
    }
    if (type == kSparse) results.push_back(static_cast<std::int32_t>(signature));
  }
  return Tensor::from(std::span<const std::int32_t>(results), {static_cast<std::int32_t>(results.size())});
}

constexpr OpRow kRows[] = {
    {kLshProjection, {"LSH_PROJECTION", project}, kProjectionOptions, Quantized::kStored},
    {30, {"SKIP_GRAM", skip_grams}, kGramOptions},
};

}  // namespace

std::span<const OpRow> text_rows() { return kRows; }

}  // namespace tenure::tflite
