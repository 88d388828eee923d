#include "core/strings.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"
#include "ops/text/fingerprint.h"
#include "shape_util/broadcast.h"

namespace tenure {
namespace {

bool satisfies(Op op, int order) {
  switch (op) {
    case Op::equal: return order == 0;
    case Op::not_equal: return order != 0;
    case Op::less: return order < 0;
    case Op::less_equal: return order <= 0;
    case Op::greater: return order > 0;
    default: return order >= 0;
  }
}

/// Returns the string of a tensor. Throws unless it has exactly one.
std::string_view get_only_string(const Tensor& x, std::string_view argument) {
  check_shape(x.elements() == 1, "expected one string as ", argument, ", got shape ", x.shape());
  return Strings(x)[0];
}

void split_into(std::string_view text, std::string_view delimiters, bool skip_empty,
                std::vector<std::string_view>& tokens) {
  if (text.empty()) return;
  if (delimiters.empty()) {
    for (std::size_t i = 0; i < text.size(); ++i) tokens.push_back(text.substr(i, 1));
    return;
  }
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find_first_of(delimiters, begin), text.size());
    if (!skip_empty || end > begin) tokens.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return;
    begin = end + 1;
  }
}

/// N-grams: runs of tokens joined by a separator, padded at both ends.
class NGrams {
 public:
  NGrams(Inputs in, const StringNGramsAttrs& attrs)
      : data_(in[0]),
        splits_(in[1].values<std::int32_t>()),
        separator_(get_only_string(in[2], "separator")),
        left_pad_(get_only_string(in[3], "leftPad")),
        right_pad_(get_only_string(in[4], "rightPad")),
        attrs_(attrs) {}

  Tensors make() {
    check_splits();
    std::vector<std::int32_t> splits(splits_.size());
    if (data_.size() > 0) {
      for (std::size_t row = 1; row < splits_.size(); ++row) {
        add_row(splits_[row - 1], splits_[row]);
        check(ends_.size() <= kMaxNGrams, "more than ", kMaxNGrams, " n-grams");
        splits[row] = static_cast<std::int32_t>(ends_.size());
      }
    }
    std::vector<std::string_view> grams;
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      grams.push_back(std::string_view(text_).substr(begin, end - begin));
      begin = end;
    }
    const auto count = static_cast<std::int32_t>(grams.size());
    return {make_string_tensor(grams, {count}), tensor1d(splits)};
  }

 private:
  static constexpr std::size_t kMaxNGrams = std::numeric_limits<std::int32_t>::max();
  // A file chooses the widths, and the text grows with their squares.
  static constexpr std::int64_t kMaxTokens = std::int64_t{1} << 26;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 28;

  void check_splits() const {
    if (splits_.empty()) return;
    const auto size = static_cast<std::int64_t>(data_.size());
    check(splits_[0] == 0, "First split value must be 0, got ", splits_[0]);
    for (std::size_t i = 1; i < splits_.size(); ++i) {
      check(splits_[i] >= splits_[i - 1] && splits_[i] <= size, "Invalid split value ", splits_[i],
            ", must be in [", splits_[i - 1], ", ", size, "]");
    }
    check(splits_.back() == size, "Last split value must be data size. Expected ", size, ", got ",
          splits_.back());
  }

  // At most width - 1, so that every n-gram has a token. A negative pad_width means this maximum.
  std::int64_t clamp_pad(std::int64_t width) const {
    return std::min<std::int64_t>(attrs_.pad_width < 0 ? width - 1 : attrs_.pad_width, width - 1);
  }

  void add_row(std::int32_t begin, std::int32_t end) {
    const std::size_t before = ends_.size();
    const std::int64_t length = end - begin;
    for (const std::int32_t width : attrs_.widths) {
      check(width > 0, "expected n-grams of 1 or more tokens, got ", width);
      const std::int64_t pad = clamp_pad(width);
      add_grams(begin, length, width, pad, std::max<std::int64_t>(0, length + 2 * pad - width + 1));
    }
    if (attrs_.preserve_short_sequences && length > 0 && ends_.size() == before) {
      const std::int64_t pad = std::max(attrs_.pad_width, 0);
      add_grams(begin, length, length + 2 * pad, pad, 1);
    }
  }

  void add_grams(std::int64_t begin, std::int64_t length, std::int64_t width, std::int64_t pad,
                 std::int64_t count) {
    check(count <= (kMaxTokens - tokens_) / width, "n-grams of ", width, " tokens would take more than ",
          kMaxTokens, " tokens");
    tokens_ += count * width;
    for (std::int64_t first = -pad; first < count - pad; ++first) {
      for (std::int64_t i = first; i < first + width; ++i) {
        if (i > first) text_ += separator_;
        text_ += i < 0 ? left_pad_ : i < length ? data_[static_cast<std::size_t>(begin + i)] : right_pad_;
        check(text_.size() <= kMaxBytes, "n-grams of ", width, " tokens would take more than ", kMaxBytes,
              " bytes");
      }
      ends_.push_back(text_.size());
    }
  }

  Strings data_;
  std::span<const std::int32_t> splits_;
  std::string_view separator_;
  std::string_view left_pad_;
  std::string_view right_pad_;
  const StringNGramsAttrs& attrs_;
  std::string text_;
  std::int64_t tokens_ = 0;  ///< number of tokens in text_
  std::vector<std::size_t> ends_;
};

}  // namespace

Tensor compare_strings(Op op, Inputs in, AttrsView) {
  upcast(in[0].dtype(), in[1].dtype());
  const Shape shape = broadcast(in[0].shape(), in[1].shape());
  // Broadcasts with ops that move elements, which also run on strings.
  const Tensor left = broadcast_to(in[0], {shape});
  const Tensor right = broadcast_to(in[1], {shape});
  const Strings a(left);
  const Strings b(right);
  Tensor out({shape, DType::kBool});
  auto* results = out.mutable_data<std::uint8_t>();
  for (std::size_t i = 0; i < a.size(); ++i) results[i] = satisfies(op, a[i].compare(b[i])) ? 1 : 0;
  return out;
}

namespace host {

Tensors string_split(Inputs in, const StringSplitAttrs& attrs) {
  const std::string_view delimiters = get_only_string(in[1], "delimiter");
  const Strings texts(in[0]);
  std::vector<std::string_view> tokens;
  std::vector<std::int32_t> indices;
  std::size_t most = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t before = tokens.size();
    split_into(texts[i], delimiters, attrs.skip_empty != 0, tokens);
    for (std::size_t k = before; k < tokens.size(); ++k) {
      indices.push_back(static_cast<std::int32_t>(i));
      indices.push_back(static_cast<std::int32_t>(k - before));
    }
    most = std::max(most, tokens.size() - before);
  }
  const auto count = static_cast<std::int32_t>(tokens.size());
  return {Tensor::from(std::span<const std::int32_t>(indices), {count, 2}),
          make_string_tensor(tokens, {count}),
          Tensor::from({static_cast<std::int32_t>(texts.size()), static_cast<std::int32_t>(most)}, {2})};
}

Tensors string_n_grams(Inputs in, const StringNGramsAttrs& attrs) { return NGrams(in, attrs).make(); }

Tensors string_to_hash_bucket_fast(Inputs in, const HashBucketsAttrs& attrs) {
  const std::int64_t count = std::int64_t{attrs.high} << 32 | static_cast<std::uint32_t>(attrs.low);
  check(count > 0, "Number of buckets must be at least 1");
  const Strings texts(in[0]);
  Tensor out({in[0].shape(), DType::kInt32});
  auto* buckets = out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    buckets[i] = static_cast<std::int32_t>(fingerprint64(texts[i]) % static_cast<std::uint64_t>(count));
  }
  return {out};
}

}  // namespace host
}  // namespace tenure
