#include <set>

#include "catch.h"
#include "core/error.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::floats;
using test::run_layer;

/// Returns 0, 1, 2 ... as an image [1, height, width, 1].
Tensor counted(std::int32_t height, std::int32_t width) {
  return reshape(range({.count = height * width}), {{1, height, width, 1}});
}

std::vector<float> encode(const std::string& fields, const Tensor& tokens) {
  return floats(run_layer("CategoryEncoding", "[null,null]", "\"num_tokens\":4" + fields, {}, tokens));
}

}  // namespace

TEST_CASE("Rescaling", "[model][layers]") {
  const Tensor x = Tensor::from({0.0F, 1.0F, 4.0F}, {1, 3});
  CHECK(floats(run_layer("Rescaling", "[null,3]", R"("scale":0.5,"offset":-1)", {}, x)) ==
        std::vector<float>{-1, -0.5F, 1});
}

TEST_CASE("CenterCrop takes the middle, and widens what is too small", "[model][layers]") {
  const auto crop = [](const std::string& fields, const Tensor& x) {
    return floats(run_layer("CenterCrop", "[null,null,null,1]", fields, {}, x));
  };
  CHECK(crop(R"("height":2,"width":2)", counted(4, 4)) == std::vector<float>{5, 6, 9, 10});
  CHECK(crop(R"("height":1,"width":4)", counted(2, 4)) == std::vector<float>{0, 1, 2, 3});
  // The image is one column too wide: TensorFlow.js drops the first column.
  CHECK(crop(R"("height":1,"width":3)", counted(1, 4)) == std::vector<float>{1, 2, 3});
  const Tensor wide = run_layer("CenterCrop", "[null,2,2,1]", R"("height":4,"width":1)", {}, counted(2, 2));
  CHECK(test::dims(wide.shape()) == std::vector{1, 4, 1, 1});
}

TEST_CASE("Resizing aligns the corners", "[model][layers]") {
  const auto resize = [](const std::string& fields) {
    return floats(
        run_layer("Resizing", "[null,1,3,1]", R"("height":1,"width":5)" + fields, {}, counted(1, 3)));
  };
  CHECK(resize("") == std::vector<float>{0, 0.5F, 1, 1.5F, 2});
  CHECK(test::near(resize(R"(,"crop_to_aspect_ratio":true)"), {0, 0.6F, 1.2F, 1.8F, 2}));
  CHECK(resize(R"(,"interpolation":"nearest")") == std::vector<float>{0, 1, 1, 2, 2});
}

TEST_CASE("CategoryEncoding in all its modes", "[model][layers]") {
  const Tensor rows = Tensor::from({0.0F, 2.0F, 2.0F, 3.0F, 3.0F, 3.0F}, {2, 3});
  CHECK(encode("", rows) == std::vector<float>{1, 0, 1, 0, 0, 0, 0, 1});
  CHECK(encode(R"(,"output_mode":"count")", rows) == std::vector<float>{1, 0, 2, 0, 0, 0, 0, 3});
  CHECK(encode(R"(,"output_mode":"oneHot")", Tensor::from({1.0F, 3.0F}, {2, 1})) ==
        std::vector<float>{0, 1, 0, 0, 0, 0, 0, 1});
  for (const float wrong : {-1.0F, 4.0F}) {
    CHECK_THROWS_MATCHES(encode("", Tensor::from({0.0F, wrong}, {1, 2})), Error,
                         MessageMatches(ContainsSubstring("is not in [0, 3]")));
  }
}

TEST_CASE("RandomWidth draws another width at each call, and the same ones for a seed", "[model][layers]") {
  const auto widths = [](std::int32_t seed) {
    LayersModel model = test::load(
        test::one_layer("RandomWidth", "[null,2,10,1]", text(R"("factor":[-0.5,1],"seed":)", seed)));
    CHECK(test::dims(model.outputs()[0].shape) == std::vector{-1, 2, -1, 1});
    const Tensor x = counted(2, 10);
    std::vector<int> found;
    for (int i = 0; i < 20; ++i) {
      const Tensor y = model.predict(std::span(&x, 1)).at(0);
      CHECK(y.dim(1) == 2);
      found.push_back(y.dim(2));
    }
    CHECK(model.plan_count() == 0);
    return found;
  };
  const std::vector<int> some = widths(3);
  // The widths that TensorFlow.js draws.
  CHECK(some == std::vector{11, 10, 9, 8, 10, 9, 8, 19, 17, 18, 19, 6, 7, 8, 9, 7, 8, 5, 14, 12});
  CHECK(widths(3) == some);
  CHECK(widths(0) == widths(0));
  CHECK(widths(4) != some);
  const std::set<int> distinct(some.begin(), some.end());
  CHECK(distinct.size() > 3);
  CHECK(*distinct.begin() >= 5);
  CHECK(*distinct.rbegin() <= 20);
}

TEST_CASE("what preprocessing layers refuse", "[model][layers]") {
  const auto refuses = [](const std::string& class_name, const std::string& shape, const std::string& fields,
                          const std::string& words) {
    CHECK_THROWS_MATCHES(test::load(test::one_layer(class_name, shape, fields)), Error,
                         MessageMatches(ContainsSubstring(words)));
  };
  refuses("Rescaling", "[null,3]", "", "layer \"layer\": field \"scale\" is missing");
  refuses("CenterCrop", "[null,3,3,1]", R"("height":0,"width":2)",
          "field \"height\" must be a positive integer");
  refuses("CenterCrop", "[null,3]", R"("height":2,"width":2)", "expected ndim=4, found ndim=2");
  refuses("Resizing", "[null,3,3,1]", R"("height":2,"width":2,"interpolation":"cubic")",
          "Invalid interpolation parameter: cubic is not implemented");
  refuses("CategoryEncoding", "[null,3]", R"("num_tokens":3,"output_mode":"some")",
          "field \"output_mode\" must be int, oneHot, multiHot, count or tfIdf, got \"some\"");
  refuses("CategoryEncoding", "[null,3]", R"("num_tokens":3,"output_mode":"oneHot")",
          "maximum output rank is 2");
  refuses("CategoryEncoding", "[null,3]", R"("num_tokens":3,"output_mode":"tfIdf")",
          "weights must be provided");
  const std::string image = "[null,3,3,1]";
  refuses("RandomWidth", image, "", "field \"factor\" is missing");
  refuses("RandomWidth", image, "\"factor\":-2", "Invalid factor: -2. Must be positive number");
  refuses("RandomWidth", image, "\"factor\":[1,2,3]", "Invalid factor");
  refuses("RandomWidth", image, "\"factor\":[-2,1]", "factor must have values larger than -1");
  refuses("RandomWidth", image, "\"factor\":[1,0]", "factor cannot have upper bound less than lower bound");
}

}  // namespace tenure
