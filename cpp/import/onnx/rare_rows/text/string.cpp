// Strings, and the counts of n-grams of strings or integers.

#include <algorithm>
#include <string>

#include "core/strings.h"
#include "import/onnx/families.h"
#include "import/onnx/rare_rows/text/regex.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

const Tensor& get_strings(const Call& call, int i) {
  const Tensor& x = call.value(i);
  check(x.dtype() == DType::kString, "input ", i, " is ", get_name(x.dtype()),
        ", where strings were expected");
  return x;
}

Tensor to_tensor(const std::vector<std::string>& values, const Shape& shape) {
  const std::vector<std::string_view> views(values.begin(), values.end());
  return make_string_tensor(views, shape);
}

/// Returns, for each element of `shape`, the number of the element of x that broadcasts to it.
Tensor broadcast_numbers(const Tensor& x, const Shape& shape) {
  const Tensor numbers = range(
      {.step = 0, .int_step = 1, .count = static_cast<std::int32_t>(x.elements()), .dtype = DType::kInt32});
  return broadcast_to(reshape(numbers, {x.shape()}), {shape});
}

Tensor concatenated(const Call& call) {
  const Tensor& a = get_strings(call, 0);
  const Tensor& b = get_strings(call, 1);
  const Shape shape = broadcast(a.shape(), b.shape());
  const Tensor at_a = broadcast_numbers(a, shape);
  const Tensor at_b = broadcast_numbers(b, shape);
  const Strings left(a);
  const Strings right(b);
  std::vector<std::string> joined;
  joined.reserve(at_a.elements());
  for (std::size_t i = 0; i < at_a.elements(); ++i) {
    std::string& text = joined.emplace_back(left[static_cast<std::size_t>(at_a.values<std::int32_t>()[i])]);
    text += right[static_cast<std::size_t>(at_b.values<std::int32_t>()[i])];
  }
  return to_tensor(joined, shape);
}

constexpr std::string_view kWhitespace = " \t\n\r\f\v";

/// Splits a text as Python's str.split() does: at runs of whitespace if the delimiter is empty.
std::vector<std::string_view> split_text(std::string_view text, std::string_view delimiter,
                                         std::int32_t max_splits) {
  std::vector<std::string_view> parts;
  const auto is_last = [&] {
    return max_splits >= 0 && parts.size() == static_cast<std::size_t>(max_splits);
  };
  while (true) {
    if (delimiter.empty()) {
      text.remove_prefix(std::min(text.find_first_not_of(kWhitespace), text.size()));
      if (text.empty()) return parts;
    }
    const std::size_t end = delimiter.empty() ? text.find_first_of(kWhitespace) : text.find(delimiter);
    if (end == std::string_view::npos || is_last()) {
      parts.push_back(text);
      return parts;
    }
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + std::max<std::size_t>(delimiter.size(), 1));
  }
}

/// Splits strings: the parts, padded with empty strings to the longest list, and the number of parts.
EdgeValues split_strings(const Call& call) {
  const Tensor& x = get_strings(call, 0);
  const std::string_view delimiter = call.attrs().string("delimiter");
  const std::int32_t max_splits = call.attrs().integer("maxsplit", -1);
  const Strings texts(x);
  std::vector<std::vector<std::string_view>> lists;
  std::size_t longest = 0;
  Tensor counts({x.shape(), DType::kInt32});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    lists.push_back(split_text(texts[i], delimiter, max_splits));
    longest = std::max(longest, lists[i].size());
    counts.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(lists[i].size());
  }
  check_shape(std::uint64_t{lists.size()} * longest <= INT32_MAX, lists.size(), " strings of up to ", longest,
              " parts are too many for a tensor");
  std::vector<std::string_view> padded;
  for (std::vector<std::string_view>& list : lists) {
    list.resize(longest);
    padded.insert(padded.end(), list.begin(), list.end());
  }
  Shape shape = x.shape();
  shape.push_back(static_cast<std::int32_t>(longest));
  return {make_string_tensor(padded, shape), counts};
}

/// Tells which strings a regular expression matches as a whole.
Tensor matched(const Call& call) {
  const Tensor& x = get_strings(call, 0);
  const Regex regex(call.attrs().string("pattern"));
  Tensor result({x.shape(), DType::kBool});
  const Strings texts(x);
  for (std::size_t i = 0; i < texts.size(); ++i)
    result.mutable_data<std::uint8_t>()[i] = regex.matches(texts[i]) ? 1 : 0;
  return result;
}

/// Changes the case of the letters of ASCII.
std::string change_case(std::string_view text, bool to_upper) {
  std::string changed(text);
  for (char& c : changed) {
    const char first = to_upper ? 'a' : 'A';
    if (c >= first && c <= first + 25) c = static_cast<char>(c ^ 0x20);
  }
  return changed;
}

/// Removes stop words, and changes the case of ASCII letters.
Tensor normalized(const Call& call) {
  const Tensor& x = get_strings(call, 0);
  check_shape(x.rank() == 1 || (x.rank() == 2 && x.dim(0) == 1), "expected strings [C] or [1,C], got ",
              x.shape());
  const std::string_view action = call.attrs().string("case_change_action", "NONE");
  check(action == "NONE" || action == "LOWER" || action == "UPPER", "attribute \"case_change_action\" is \"",
        action, "\"");
  const bool is_case_sensitive = call.attrs().flag("is_case_sensitive");
  const auto folded = [&](std::string_view text) {
    return is_case_sensitive ? std::string(text) : change_case(text, false);
  };
  std::vector<std::string> stop_words;
  for (const std::string& word : call.attrs().strings("stopwords")) stop_words.push_back(folded(word));
  const Strings texts(x);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (std::find(stop_words.begin(), stop_words.end(), folded(texts[i])) != stop_words.end()) continue;
    kept.push_back(action == "NONE" ? std::string(texts[i]) : change_case(texts[i], action == "UPPER"));
  }
  if (kept.empty()) kept.emplace_back();
  Shape shape = x.shape();
  shape.back() = static_cast<std::int32_t>(kept.size());
  return to_tensor(kept, shape);
}

/// The n-grams of a TfIdfVectorizer, of words or of integers as text.
class NGramPool {
 public:
  explicit NGramPool(const Attributes& attrs)
      : starts_(attrs.integers("ngram_counts")),
        columns_(attrs.integers("ngram_indexes")),
        weights_(attrs.numbers("weights")) {
    for (const std::string& word : attrs.strings("pool_strings")) words_.push_back(word);
    for (const double value : attrs.numbers("pool_int64s"))
      words_.push_back(text(static_cast<std::int64_t>(value)));
    std::size_t count = 0;
    for (std::size_t n = 1; n <= starts_.size(); ++n) {
      const auto [begin, end] = get_range(n);
      check(begin <= end && end <= words_.size() && (end - begin) % n == 0,
            "attribute \"ngram_counts\" does not fit a pool of ", words_.size());
      count += (end - begin) / n;
    }
    const auto is_negative = [](std::int32_t column) { return column < 0; };
    check(columns_.size() == count && std::none_of(columns_.begin(), columns_.end(), is_negative),
          "attribute \"ngram_indexes\" does not fit ", count, " n-grams");
    check(weights_.empty() || weights_.size() == count, "it has ", weights_.size(), " weights for ", count,
          " n-grams");
  }

  /// Calls `visit` with the number of each n-gram of the pool that is equal to `gram`.
  template <class F>
  void for_each_match(std::span<const std::string_view> gram, F visit) const {
    if (gram.size() > starts_.size()) return;
    std::size_t number = 0;
    for (std::size_t n = 1; n < gram.size(); ++n) {
      const auto [begin, end] = get_range(n);
      number += (end - begin) / n;
    }
    const auto [begin, end] = get_range(gram.size());
    for (std::size_t at = begin; at < end; at += gram.size(), ++number) {
      if (std::equal(gram.begin(), gram.end(), words_.begin() + static_cast<std::ptrdiff_t>(at)))
        visit(number);
    }
  }
  std::size_t column(std::size_t number) const { return static_cast<std::size_t>(columns_[number]); }
  float weight(std::size_t number) const {
    return weights_.empty() ? 1 : static_cast<float>(weights_[number]);
  }
  /// Returns the number of words of the longest n-grams.
  std::size_t max_length() const { return starts_.size(); }
  std::size_t columns() const {
    return columns_.empty()
               ? 0
               : static_cast<std::size_t>(*std::max_element(columns_.begin(), columns_.end())) + 1;
  }

 private:
  struct WordRange {
    std::size_t begin;
    std::size_t end;
  };
  /// Returns the words of the n-grams of n words.
  WordRange get_range(std::size_t n) const {
    return {static_cast<std::size_t>(starts_[n - 1]),
            n < starts_.size() ? static_cast<std::size_t>(starts_[n]) : words_.size()};
  }

  std::vector<std::int32_t> starts_;
  std::vector<std::int32_t> columns_;
  std::span<const double> weights_;
  std::vector<std::string> words_;
};

/// Counts the n-grams of a row of words, with up to `max_skip` words left out between two of a gram.
class NGramCounter {
 public:
  NGramCounter(const Attributes& attrs, const NGramPool& pool)
      : pool_(pool),
        min_(attrs.integer("min_gram_length", 1)),
        max_(attrs.integer("max_gram_length", 1)),
        max_skip_(attrs.integer("max_skip_count", 0)),
        mode_(attrs.string("mode", "TF")) {
    check(min_ >= 1 && max_ >= min_ && max_skip_ >= 0, "it counts grams of ", min_, " to ", max_,
          " words, with ", max_skip_, " left out");
    check(mode_ == "TF" || mode_ == "IDF" || mode_ == "TFIDF", "attribute \"mode\" is \"", mode_, "\"");
  }

  void count(std::span<const std::string> words, float* to) const {
    // Longer grams, and those with larger distances, match nothing.
    if (words.empty()) return;
    const std::size_t max = std::min(static_cast<std::size_t>(max_), pool_.max_length());
    const auto skips = static_cast<std::size_t>(max_skip_);
    for (std::size_t n = static_cast<std::size_t>(min_); n <= max; ++n) {
      // Grams of one word have no words to leave out.
      const std::size_t distances = n == 1 ? 1 : std::min(skips + 1, (words.size() - 1) / (n - 1));
      for (std::size_t distance = 1; distance <= distances; ++distance) count_grams(words, n, distance, to);
    }
  }

 private:
  void count_grams(std::span<const std::string> words, std::size_t n, std::size_t distance, float* to) const {
    const std::size_t span = (n - 1) * distance;
    for (std::size_t start = 0; start + span < words.size(); ++start) {
      std::vector<std::string_view> gram;
      for (std::size_t at = start; at <= start + span; at += distance) gram.push_back(words[at]);
      pool_.for_each_match(gram, [&](std::size_t number) {
        float& count = to[pool_.column(number)];
        if (mode_ == "TF") count += 1;
        if (mode_ == "IDF") count = pool_.weight(number);
        if (mode_ == "TFIDF") count += pool_.weight(number);
      });
    }
  }

  const NGramPool& pool_;
  int min_;
  int max_;
  int max_skip_;
  std::string_view mode_;
};

Tensor counted_ngrams(const Call& call) {
  const Tensor& x = call.value(0);
  check_shape(x.rank() == 1 || x.rank() == 2, "expected [C] or [N,C], got ", x.shape());
  std::vector<std::string> words;
  words.reserve(x.elements());
  if (x.dtype() == DType::kString) {
    const Strings texts(x);
    for (std::size_t i = 0; i < texts.size(); ++i) words.emplace_back(texts[i]);
  } else {
    for (const std::int32_t value : call.integers(0)) words.push_back(text(std::int64_t{value}));
  }
  const NGramPool pool(call.attrs());
  const NGramCounter counter(call.attrs(), pool);
  const auto length = static_cast<std::size_t>(x.shape().back());
  const std::size_t rows = x.rank() == 1 ? 1 : static_cast<std::size_t>(x.dim(0));
  Shape shape = x.shape();
  shape.back() = static_cast<std::int32_t>(pool.columns());
  Tensor result({shape, DType::kFloat32});
  auto* to = result.mutable_data<float>();
  std::fill_n(to, result.elements(), 0.0F);
  for (std::size_t i = 0; i < rows; ++i)
    counter.count(std::span(words).subspan(i * length, length), to + i * pool.columns());
  return result;
}

constexpr Row kRows[] = {
    {"RegexFullMatch", matched},    {"StringConcat", concatenated},      {"StringNormalizer", normalized},
    {"StringSplit", split_strings}, {"TfIdfVectorizer", counted_ngrams},
};

}  // namespace

std::span<const Row> string_rows() { return kRows; }

}  // namespace tenure::onnx
