#include "catch.h"
#include "ops/ops.h"

namespace tenure {
using Catch::Matchers::Message;

TEST_CASE("batchNorm keeps its digits where the mean is large", "[batch_norm]") {
  const Tensor x = Tensor::from({100000.0F, 100001.0F}, {2, 1});
  const Tensor mean = Tensor::from({100000.5F}, {1});
  const Tensor variance = Tensor::from({0.25F}, {1});
  const Tensor out = batch_norm(x, mean, variance, {.epsilon = 0});
  CHECK(out.data<float>()[0] == -1);
  CHECK(out.data<float>()[1] == 1);
}

TEST_CASE("batchNorm takes a scalar for one channel", "[batch_norm]") {
  const Tensor one = Tensor::scalar(1.0F);
  const Tensor out = batch_norm(Tensor::scalar(3.0F), one, Tensor::scalar(4.0F), {.epsilon = 0});
  CHECK(out.rank() == 0);
  CHECK(out.data<float>()[0] == 1);
}

TEST_CASE("batchNorm rejects parameters that do not fit", "[batch_norm]") {
  const Tensor x({{2, 3}, DType::kFloat32});
  const Tensor three({{3}, DType::kFloat32});
  const Tensor two({{2}, DType::kFloat32});
  const Tensor table({{2, 3}, DType::kFloat32});
  const Tensor ints({{3}, DType::kInt32});
  const Tensor none;
  CHECK_THROWS_MATCHES(batch_norm(x, two, three), Error,
                       Message("[batchNorm] expected mean of shape [3] or [2,3], got [2]"));
  CHECK_THROWS_MATCHES(
      batch_norm(x, three, table), Error,
      Message("[batchNorm] Batch normalization gradient requires mean and variance to have equal ranks."));
  CHECK_THROWS_MATCHES(
      batch_norm(x, three, three, none, table), Error,
      Message("[batchNorm] Batch normalization gradient requires mean and scale to have equal ranks."));
  CHECK_THROWS_MATCHES(batch_norm(x, three, three, ints, {}), Error,
                       Message("[batchNorm] Argument 'offset' passed to 'batchNorm' must be float32 tensor, "
                               "but got int32 tensor"));
  CHECK_THROWS_MATCHES(batch_norm(x, three, none), Error,
                       Message("[batchNorm] argument 'variance' is missing"));
  const Tensor scalar = Tensor::scalar(1.0F);
  CHECK_THROWS_MATCHES(batch_norm(scalar, three, three), Error,
                       Message("[batchNorm] expected mean of shape [1] or [], got [3]"));
}

}  // namespace tenure
