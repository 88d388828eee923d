#include "core/strings.h"

#include "core/memory/allocator.h"
#include "ops/autodiff/backward.h"
#include "ops/moves.h"
#include "ops/text/fingerprint.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using Words = std::vector<std::string>;

Tensor strings(const Words& words, const Shape& shape) {
  return make_string_tensor(std::vector<std::string_view>(words.begin(), words.end()), shape);
}
Tensor strings(const Words& words) { return strings(words, {static_cast<std::int32_t>(words.size())}); }

Words words(const Tensor& x) {
  const Strings list(x);
  Words result;
  for (std::size_t i = 0; i < list.size(); ++i) result.emplace_back(list[i]);
  return result;
}

std::vector<std::int32_t> ints(const Tensor& x) {
  return {x.values<std::int32_t>().begin(), x.values<std::int32_t>().end()};
}

/// Returns the numbers of a tensor as strings of different lengths.
Tensor spelled(const Tensor& numbers) {
  Words list;
  for (const double number : moves::numbers(numbers)) {
    list.push_back(std::string(static_cast<std::size_t>(number) % 4, '-') + text(static_cast<int>(number)));
  }
  return strings(list, numbers.shape());
}

TEST_CASE("What moves numbers moves strings", "[strings]") {
  const std::size_t before = allocator_stats().live;
  {
    const Tensor a = counted({2, 3, 2}, DType::kInt32);
    const Tensor b = add(a, Tensor::scalar(100));
    const Tensor picks = Tensor::from({1, 0, 1}, {3});
    const Tensor truth = Tensor::from({true, false}, {2});
    const std::function<Tensor(const Tensor&, const Tensor&)> functions[] = {
        [](const Tensor& x, const Tensor&) { return transpose(x, {{2, 0, 1}}); },
        [](const Tensor& x, const Tensor& y) { return concat({x, y, x}, {1}); },
        [](const Tensor& x, const Tensor& y) { return stack({x, y}, {-1}); },
        [](const Tensor& x, const Tensor&) { return slice(x, {{0, 1, 0}, {2, 2, 1}}); },
        [](const Tensor& x, const Tensor&) {
          return strided_slice(x, {.begin = {1, 2, 0}, .end = {0, 0, 2}, .strides = {-1, -1, 1}});
        },
        [&](const Tensor& x, const Tensor&) { return gather(x, picks, {.axis = 1}); },
        [](const Tensor& x, const Tensor&) { return tile(x, {{2, 1, 3}}); },
        [](const Tensor& x, const Tensor&) { return mirror_pad(x, {{0, 1, 0}, {1, 2, 0}, false}); },
        [](const Tensor& x, const Tensor&) { return reverse(x, {{1}}); },
        [&](const Tensor& x, const Tensor& y) { return where(truth, x, y); },
        [](const Tensor& x, const Tensor&) { return reshape(x, {{3, 4}}); },
        [](const Tensor& x, const Tensor&) { return unstack(x, {1}).at(2); },
        [](const Tensor& x, const Tensor&) { return slice(x, {{0, 1, 0}, {2, 0, 1}}); },
        [](const Tensor& x, const Tensor&) { return gather_nd(x, Tensor::from({1, 2, 0, 0}, {2, 2})); },
        [](const Tensor& x, const Tensor& y) {
          return tensor_scatter_update(x, Tensor::from({1}, {1, 1}), slice(y, {{0, 0, 0}, {1, 3, 2}}));
        },
        [](const Tensor& x, const Tensor& y) {
          const Tensor fallback = slice(reshape(y, {{12}}), {{5}, {1}});
          return sparse_to_dense(Tensor::from({3, 1}, {2}), slice(reshape(x, {{12}}), {{2}, {2}}), fallback,
                                 {{5}});
        },
    };
    for (const auto& f : functions) {
      const Tensor expected = f(a, b);
      const Tensor got = f(spelled(a), spelled(b));
      CHECK(got.dtype() == DType::kString);
      CHECK(got.shape() == expected.shape());
      CHECK(words(got) == words(spelled(expected)));
    }
  }
  CHECK(allocator_stats().live == before);
}

TEST_CASE("unique finds strings that are the same", "[strings]") {
  const Tensors flat = unique(strings({"b", "a", "", "b", "a,", "a"}), {});
  CHECK(words(flat[0]) == Words{"b", "a", "", "a,"});
  CHECK(ints(flat[1]) == std::vector<std::int32_t>{0, 1, 2, 0, 3, 1});
  const Tensors columns = unique(strings({"x", "y", "x", "z", "z", "z"}, {2, 3}), {1});
  CHECK(columns[0].shape() == Shape{2, 2});
  CHECK(words(columns[0]) == Words{"x", "y", "z", "z"});
  CHECK(ints(columns[1]) == std::vector<std::int32_t>{0, 1, 0});
  CHECK(unique(strings({}), {})[0].shape() == Shape{0});
}

TEST_CASE("Strings compare by their bytes", "[strings]") {
  const Tensor a = strings({"a", "b", "", "ab", "\xc3\xa4"});
  const Tensor b = strings({"a", "a", "a", "b", "z"});
  CHECK(moves::numbers(equal(a, b)) == std::vector<double>{1, 0, 0, 0, 0});
  CHECK(moves::numbers(not_equal(a, b)) == std::vector<double>{0, 1, 1, 1, 1});
  CHECK(moves::numbers(less(a, b)) == std::vector<double>{0, 0, 1, 1, 0});
  CHECK(moves::numbers(less_equal(a, b)) == std::vector<double>{1, 0, 1, 1, 0});
  CHECK(moves::numbers(greater(a, b)) == std::vector<double>{0, 1, 0, 0, 1});
  CHECK(moves::numbers(greater_equal(a, b)) == std::vector<double>{1, 1, 0, 0, 1});
  const Tensor grid = equal(reshape(a, {{5, 1}}), strings({"a", "ab"}));
  CHECK(grid.shape() == Shape{5, 2});
  CHECK(moves::numbers(grid) == std::vector<double>{1, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  CHECK(moves::numbers(equal(a, reshape(strings({"b"}), {Shape{}}))) == std::vector<double>{0, 1, 0, 0, 0});
  CHECK(equal(strings({}), strings({"a"})).shape() == Shape{0});
}

TEST_CASE("Strings where numbers belong are refused by name", "[strings]") {
  const Tensor text = strings({"a", "b"});
  const Tensor number = Tensor::from({1.0F, 2.0F}, {2});
  CHECK(error_of([&] { sigmoid(text); }) ==
        "[sigmoid] Argument 'x' passed to 'sigmoid' must be numeric tensor, but got string tensor");
  CHECK(error_of([&] { add(text, number); }) ==
        "[add] Argument 'a' passed to 'add' must be numeric tensor, but got string tensor");
  CHECK(error_of([&] { concat({text, number}, {0}); }) == "[concat] Can not upcast string with float32");
  CHECK(error_of([&] { concat({number, text}, {0}); }) == "[concat] Can not upcast string with float32");
  CHECK(error_of([&] { equal(text, number); }) == "[equal] Can not upcast string with float32");
  CHECK(error_of([&] { cast(text, {DType::kInt32}); }) ==
        "[cast] Argument 'x' passed to 'cast' must be float32 or int32 or bool or complex64 tensor, but got "
        "string tensor");
  CHECK(error_of([&] { gather(text, Tensor::from({2}, {1})); }) ==
        "[gather] GatherV2: the index value 2 is not in [0, 1]");
  CHECK(error_of([&] { fill({.shape = {2}, .dtype = DType::kString}); }) ==
        "[fill] has no kernel for string");
  CHECK_FALSE(error_of([&] { run(Op::identity, {&text, &text}); }).empty());
}

TEST_CASE("A view of strings passes a gradient on", "[strings]") {
  const Tensor g = Tensor::from({0.5F, 2.0F}, {2});
  const auto f = [](const Tensors& xs) { return identity(xs[0]); };
  CHECK(moves::numbers(value_and_gradients(f, {strings({"a", "b"})}, g).gradients[0]) ==
        std::vector<double>{0.5, 2});
}

TEST_CASE("Fingerprints are those of FarmHash", "[strings]") {
  struct Known {
    std::size_t size;
    std::uint64_t value;
  };
  // The values of TensorFlow.js.
  constexpr Known kKnown[] = {{0, 0x9ae16a3b2f90404f},   {1, 0x4271b80e2915c76a},   {3, 0x373a2b2a12e0c581},
                              {4, 0xcc1e778137ae6d69},   {7, 0x960838fbc6d9c975},   {8, 0x0f022f9dc9f7f71d},
                              {16, 0x1e00081f6307c757},  {17, 0x65d46668df2796ae},  {32, 0x6b0ef89cf34f246f},
                              {33, 0xbd642a1ac9b18fb6},  {64, 0x1a77c7952a98ab7a},  {65, 0x72150d8134de7b9e},
                              {100, 0x6c57bb26b4509b7e}, {128, 0x06f12dadb77e708a}, {129, 0x86750d21ab9e6583},
                              {200, 0xfc4c0170769a7e3b}};
  for (const Known& known : kKnown) {
    std::string bytes;
    for (std::size_t i = 0; i < known.size; ++i) bytes += static_cast<char>((i * 37 + 11) % 251);
    CAPTURE(known.size);
    CHECK(fingerprint64(bytes) == known.value);
  }
}

TEST_CASE("stringSplit", "[strings]") {
  const Tensors parts = string_split(strings({"#a", "b#c#", "", "#"}), reshape(strings({"#"}), {Shape{}}),
                                     {.skip_empty = false});
  CHECK(words(parts[1]) == Words{"", "a", "b", "c", "", "", ""});
  CHECK(ints(parts[0]) == std::vector<std::int32_t>{0, 0, 0, 1, 1, 0, 1, 1, 1, 2, 3, 0, 3, 1});
  CHECK(ints(parts[2]) == std::vector<std::int32_t>{4, 3});
  const Tensors letters = string_split(strings({"hi", "\xc3\xbc"}), strings({""}));
  CHECK(words(letters[1]) == Words{"h", "i", "\xc3", "\xbc"});
  CHECK(words(string_split(strings({"a, b;;c"}), strings({",; "}))[1]) == Words{"a", "b", "c"});
  CHECK_THROWS_AS(string_split(strings({"a"}), strings({"a", "b"})), Error);
}

TEST_CASE("stringNGrams", "[strings]") {
  const auto grams = [](const Words& data, const std::vector<std::int32_t>& splits,
                        std::vector<std::int32_t> widths, std::int32_t pad, bool keeps_short) {
    const Tensor ends =
        Tensor::from(std::span<const std::int32_t>(splits), {static_cast<std::int32_t>(splits.size())});
    return string_n_grams(strings(data), ends, strings({"|"}), strings({"L"}), strings({"R"}),
                          {.widths = widths, .pad_width = pad, .preserve_short_sequences = keeps_short});
  };
  const Tensors plain = grams({"a", "b", "c", "d"}, {0, 3, 4}, {2}, 0, false);
  CHECK(words(plain[0]) == Words{"a|b", "b|c"});
  CHECK(ints(plain[1]) == std::vector<std::int32_t>{0, 2, 2});
  CHECK(words(grams({"a", "b", "c", "d"}, {0, 3, 4}, {3}, -1, false)[0]) ==
        Words{"L|L|a", "L|a|b", "a|b|c", "b|c|R", "c|R|R", "L|L|d", "L|d|R", "d|R|R"});
  CHECK(words(grams({"a", "b", "c", "d"}, {0, 3, 4}, {3}, 0, true)[0]) == Words{"a|b|c", "d"});
  CHECK(words(grams({"a"}, {0, 1}, {5}, 1, true)[0]) == Words{"L|a|R"});
  CHECK(error_of([&] { grams({"a"}, {0, 1}, {0}, 0, true); }).find("1 or more tokens") != std::string::npos);
  CHECK(error_of([&] { grams({"a"}, {1, 1}, {1}, 0, true); }).find("First split value") != std::string::npos);
  // Untrusted widths must not exhaust memory: the first case has too many tokens, the second too many bytes.
  CHECK(error_of([&] { grams({"a"}, {0, 1}, {100'000}, -1, true); }).find("tokens") != std::string::npos);
  const std::string separator(1000, '-');
  CHECK(error_of([&] {
          string_n_grams(strings({"a"}), Tensor::from({0, 1}, {2}), strings({separator}), strings({"L"}),
                         strings({"R"}), {.widths = std::vector<std::int32_t>{1000}, .pad_width = -1});
        }).find("bytes") != std::string::npos);
}

TEST_CASE("stringToHashBucketFast keeps shapes and bounds", "[strings]") {
  const Tensor buckets = string_to_hash_bucket_fast(strings({"a", "b", "c", "d"}, {2, 2}), {.low = 10})[0];
  CHECK(buckets.shape() == Shape{2, 2});
  CHECK(ints(buckets) == std::vector<std::int32_t>{9, 2, 2, 5});
  CHECK_THROWS_AS(string_to_hash_bucket_fast(strings({"a"}), {.low = 0}), Error);
}

}  // namespace
}  // namespace tenure
