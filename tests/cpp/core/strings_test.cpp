#include "core/strings.h"

#include <string>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"

namespace tenure {
namespace {

using Views = std::vector<std::string_view>;

Views views_of(const Tensor& tensor) {
  const Strings strings(tensor);
  Views views;
  for (std::size_t i = 0; i < strings.size(); ++i) views.push_back(strings[i]);
  return views;
}

TEST_CASE("Strings keep their bytes, and count them", "[strings]") {
  const std::size_t before = allocator_stats().live;
  {
    const Views given = {"", "a", std::string_view("zero\0inside", 11), "\xff\xfe", "gr\xc3\xbc\xc3\x9f"};
    const Tensor x = make_string_tensor(given, {5});
    CHECK(x.dtype() == DType::kString);
    CHECK(views_of(x) == given);
    CHECK(x.bytes() == 0 + 1 + 11 + 2 + 6);
    const Tensor column = x.with_shape({5, 1});
    CHECK(column.storage() == x.storage());
    CHECK(column.bytes() == x.bytes());
    CHECK(views_of(column) == given);
    CHECK_THROWS_AS(make_string_tensor(given, {4}), Error);
  }
  CHECK(allocator_stats().live == before);
}

TEST_CASE("Strings that nobody wrote are empty", "[strings]") {
  for (const Shape& shape : {Shape{}, Shape{3}, Shape{0}, Shape{2, 0, 3}}) {
    for (const Tensor& x :
         {Tensor(TensorSpec{shape, DType::kString}), Tensor::deferred({shape, DType::kString})}) {
      CHECK(views_of(x) == Views(shape.elements()));
      CHECK(x.bytes() == 0);
    }
  }
}

TEST_CASE("More text than offsets can tell is out of memory", "[strings]") {
  CHECK_THROWS_AS(allocate_strings({1}, std::uint64_t{1} << 32), Error);
  CHECK_THROWS_AS(allocate_strings({-1}, 0), Error);
}

}  // namespace
}  // namespace tenure
