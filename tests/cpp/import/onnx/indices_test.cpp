// Indices of ops that read or write elements: each is one of its own axis.

#include "catch.h"
#include "integers.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Checks that indices within [-extent, extent) of their axis are taken, and that another is an error that
/// names it: as an input, in the first run and in a plan, and as a constant.
void check_indices(const std::string& attributes, std::string_view op, const Tensor& x, const Tensor& good,
                   const Tensor& bad, const Tensor& updates, std::string_view words) {
  const bool has_updates = static_cast<bool>(updates);
  const std::string ports = input(value("x", kInt32, {}, false)) + input(value("i", kInt64, {}, false)) +
                            (has_updates ? input(value("u", kInt32, {}, false)) : "") + output(bytes(1, "y"));
  const std::string reader =
      has_updates ? node(op, {"x", "i", "u"}, {"y"}, attributes) : node(op, {"x", "i"}, {"y"}, attributes);
  const auto check_fails = [&](const auto& run) {
    CHECK_THROWS_WITH(run(), ContainsSubstring(std::string(words)) && ContainsSubstring("\"y\""));
  };
  std::vector<std::string> names = {"x", "i"};
  if (has_updates) names.emplace_back("u");
  const auto with = [&](const Tensor& indices) {
    return has_updates ? Tensors{x, indices, updates} : Tensors{x, indices};
  };
  GraphModel model = onnx::load_model(as_bytes(proto::model(reader + ports, 18)));
  const int program = model.compile(names, std::vector<std::string>{"y"});
  check_fails([&] { return model.run(program, with(bad)); });
  for (int i = 0; i < 3; ++i) CHECK_NOTHROW(model.run(program, with(good)));
  check_fails([&] { return model.run(program, with(bad)); });
  CHECK_NOTHROW(model.run(program, with(good)));

  std::vector<std::int64_t> constant;
  for (const std::int32_t index : bad.values<std::int32_t>()) constant.push_back(index);
  std::string raw_indices(reinterpret_cast<const char*>(constant.data()), 8 * constant.size());
  std::string dims;
  for (int i = 0; i < bad.rank(); ++i) dims += integer(1, bad.dim(i));
  const std::string file = reader + input(value("x", kInt32, {}, false)) +
                           (has_updates ? input(value("u", kInt32, {}, false)) : "") + output(bytes(1, "y")) +
                           bytes(5, dims + integer(2, kInt64) + bytes(8, "i") + bytes(9, raw_indices));
  names.erase(names.begin() + 1);
  check_fails([&] {
    GraphModel with_constant = onnx::load_model(as_bytes(proto::model(file, 18)));
    const int number = with_constant.compile(names, std::vector<std::string>{"y"});
    return with_constant.run(number, has_updates ? Tensors{x, updates} : Tensors{x});
  });
}

const Tensor kNone;

}  // namespace

TEST_CASE("An index outside of its axis is an error that names index, axis and extent", "[onnx]") {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto axis = [](std::int64_t number) { return int_attribute("axis", number); };
  const auto check_gather = [&](std::string_view op, std::int64_t at, const Tensor& good, const Tensor& bad,
                                std::string_view words) {
    check_indices(axis(at), op, x, good, bad, kNone, words);
  };
  check_gather("Gather", 0, ints({2}, {-2, 1}), ints({2}, {0, 2}),
               "the index 2 is out of bounds: axis 0 has the extent 2");
  check_gather("Gather", 1, ints({3}, {-3, 2, 0}), ints({2}, {0, -4}),
               "the index -4 is out of bounds: axis 1 has the extent 3");
  check_gather("Gather", -1, ints({}, {-1}), ints({}, {3}),
               "the index 3 is out of bounds: axis 1 has the extent 3");
  // These would fall into other rows.
  check_gather("GatherElements", 1, ints({2, 2}, {-3, 2, 0, 1}), ints({2, 2}, {0, 3, 0, 0}),
               "the index 3 is out of bounds: axis 1 has the extent 3");
  check_gather("GatherElements", 1, ints({2, 1}, {0, -3}), ints({2, 1}, {0, -4}),
               "the index -4 is out of bounds: axis 1 has the extent 3");
  check_gather("GatherElements", 0, ints({1, 3}, {-2, 1, 0}), ints({1, 3}, {0, 0, kMin}),
               "the index -2147483648 is out of bounds: axis 0 has the extent 2");
  check_gather("GatherND", 0, ints({2, 2}, {-2, -3, 1, 2}), ints({2, 2}, {0, 0, 0, 3}),
               "the index 3 is out of bounds: axis 1 has the extent 3");
  check_gather("GatherND", 0, ints({1, 1}, {-2}), ints({1, 1}, {kMax}),
               "the index 2147483647 is out of bounds: axis 0 has the extent 2");
  check_indices(int_attribute("batch_dims", 1), "GatherND", x, ints({2, 1}, {-3, 2}), ints({2, 1}, {0, -4}),
                kNone, "the index -4 is out of bounds: axis 1 has the extent 3");

  const Tensor one = ints({1, 1}, {9});
  for (const std::string_view op : {"ScatterElements", "Scatter"}) {
    check_indices(axis(1), op, x, ints({1, 1}, {-3}), ints({1, 1}, {3}), one,
                  "the index 3 is out of bounds: axis 1 has the extent 3");
    check_indices(axis(0), op, x, ints({1, 1}, {1}), ints({1, 1}, {-3}), one,
                  "the index -3 is out of bounds: axis 0 has the extent 2");
  }
  const Tensor element = ints({1}, {9});
  check_indices("", "ScatterND", x, ints({1, 2}, {-2, -3}), ints({1, 2}, {0, 3}), element,
                "the index 3 is out of bounds: axis 1 has the extent 3");
  check_indices("", "ScatterND", x, ints({1, 2}, {1, 2}), ints({1, 2}, {1, -4}), element,
                "the index -4 is out of bounds: axis 1 has the extent 3");
  check_indices("", "ScatterND", x, ints({1, 1}, {1}), ints({1, 1}, {2}), ints({1, 3}, {7, 8, 9}),
                "the index 2 is out of bounds: axis 0 has the extent 2");
}

TEST_CASE("Indices count from the end of their own axis", "[onnx]") {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto run_with = [&](std::string_view op, const std::string& attributes, const Tensor& indices) {
    return run_nodes(node(op, {"a", "b"}, {"y"}, attributes), kInt64, {x, indices});
  };
  CHECK(run_with("Gather", int_attribute("axis", 1), ints({2}, {-1, 0})) == std::vector{3, 1, 6, 4});
  CHECK(run_with("GatherElements", int_attribute("axis", 1), ints({2, 2}, {-1, 0, -3, 2})) ==
        std::vector{3, 1, 4, 6});
  CHECK(run_with("GatherElements", int_attribute("axis", 0), ints({1, 3}, {-1, 0, 1})) ==
        std::vector{4, 2, 6});
  CHECK(run_with("GatherND", "", ints({2, 2}, {-1, -1, 0, -3})) == std::vector{6, 1});
  CHECK(run_with("GatherND", int_attribute("batch_dims", 1), ints({2, 1}, {-1, 0})) == std::vector{3, 4});
  CHECK(run_nodes(node("ScatterND", {"a", "b", "c"}, {"y"}), kInt64,
                  {x, ints({2, 2}, {-1, -1, 0, -3}), ints({2}, {7, 8})}) == std::vector{8, 2, 3, 4, 5, 7});
  CHECK(run_nodes(node("ScatterElements", {"a", "b", "c"}, {"y"}, int_attribute("axis", 1)), kInt64,
                  {x, ints({2, 1}, {-1, -3}), ints({2, 1}, {7, 8})}) == std::vector{1, 2, 7, 8, 5, 6});
}
