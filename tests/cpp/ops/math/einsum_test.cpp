#include <map>
#include <random>

#include "ops/moves.h"

namespace tenure {
namespace {

/// Returns the sum by its definition: over every value of every label.
std::vector<double> summed(const EinsumAttrs& attrs, const Tensor& a, const Tensor& b,
                           const std::map<int, int>& extents) {
  std::vector<int> labels;
  Shape all;
  for (const auto& [label, extent] : extents) {
    labels.push_back(label);
    all.push_back(extent);
  }
  const auto place_in = [&](const Dims& names, const Dims& index) {
    std::size_t place = 0;
    for (const int name : names) {
      const auto at = std::find(labels.begin(), labels.end(), name) - labels.begin();
      place = place * static_cast<std::size_t>(extents.at(name)) +
              static_cast<std::size_t>(index[static_cast<int>(at)]);
    }
    return place;
  };
  std::size_t size = 1;
  for (const int label : attrs.out) size *= static_cast<std::size_t>(extents.at(label));
  std::vector<double> out(size);
  moves::for_each_index(all, [&](const Dims& index, std::size_t) {
    const double factor = b ? moves::number_at(b, place_in(attrs.b, index)) : 1;
    out[place_in(attrs.out, index)] += moves::number_at(a, place_in(attrs.a, index)) * factor;
  });
  return out;
}

TEST_CASE("einsum is what its definition says", "[einsum]") {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    std::map<int, int> extents;
    const auto pick = [&](const std::vector<int>& from, unsigned chance) {
      Dims picked;
      for (const int label : from)
        if (random() % 100 < chance) picked.push_back(label);
      std::shuffle(picked.begin(), picked.end(), random);
      return picked;
    };
    EinsumAttrs attrs{.a = pick({'a', 'b', 'c', 'd'}, 60), .b = pick({'b', 'c', 'd', 'e'}, 60)};
    const bool has_second = i % 4 != 0;
    if (!has_second) attrs.b = {};
    for (const Dims* names : {&attrs.a, &attrs.b})
      for (const int label : *names) extents.emplace(label, 1 + static_cast<int>(random() % 3));
    std::vector<int> known;
    for (const auto& [label, extent] : extents) known.push_back(label);
    attrs.out = pick(known, 50);
    const auto make_string_tensor = [&](const Dims& names) {
      Shape shape;
      for (const int label : names) shape.push_back(extents.at(label));
      return moves::counted(shape);
    };
    const Tensor a = make_string_tensor(attrs.a);
    const Tensor b = has_second ? make_string_tensor(attrs.b) : Tensor();
    REQUIRE(moves::numbers(einsum(a, b, attrs)) == summed(attrs, a, b, extents));
  }
}

TEST_CASE("einsum of integers, of nothing, and of labels that do not fit", "[einsum]") {
  const Tensor whole = moves::counted({2, 2}, DType::kInt32);
  const Tensor truths = moves::counted({2, 2}, DType::kBool);
  const EinsumAttrs product{.a = {'i', 'j'}, .b = {'j', 'k'}, .out = {'i', 'k'}};
  CHECK(einsum(whole, truths, product).dtype() == DType::kInt32);
  const Tensor none = einsum(moves::counted({2, 0}), moves::counted({0, 3}), product);
  CHECK(moves::numbers(none) == std::vector<double>(6));
  const auto error = [&](const EinsumAttrs& attrs) {
    return moves::error_of([&] { einsum(whole, moves::counted({3, 2}), attrs); });
  };
  CHECK(error(product) ==
        "[einsum] Expected dimension 2 at axis 0 of input shaped [3,2], but got dimension 3");
  CHECK(error({.a = {'i', 'i'}, .b = {'j', 'k'}, .out = {'i'}}).starts_with("[einsum] Found duplicate axes"));
  CHECK(error({.a = {'i', 'j'}, .b = {'k', 'l'}, .out = {'x'}}) ==
        "[einsum] Output subscripts contain the label x not present in the input subscripts.");
  CHECK(error({.a = {'i', 'j'}, .b = {'k', 'l'}, .out = {'i', 'i'}}).starts_with("[einsum]"));
  CHECK(error({.a = {'i'}, .b = {'k', 'l'}, .out = {'i'}}).starts_with("[einsum] Expected a label for each"));
}

}  // namespace
}  // namespace tenure
