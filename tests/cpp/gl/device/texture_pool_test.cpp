#include "gl/device/texture_pool.h"

#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

/// Scope: sets another budget of a pool.
class Budget {
 public:
  Budget(TexturePool& pool, std::size_t bytes) : pool_(pool) { pool_.set_budget(bytes); }
  ~Budget() { pool_.set_budget(TexturePool::kDefaultBudget); }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

 private:
  TexturePool& pool_;
};

}  // namespace

TEST_CASE("A texture that was given back is taken again", "[gl][pool]") {
  const GlFixture gl;
  TexturePool& pool = Context::current()->textures();
  pool.trim();
  GLuint id = 0;
  {
    const Texture first = pool.take({TexelType::kFloat, 16, 36});
    id = first.id();
    CHECK(pool.stats().used_bytes == 16 * 36 * 16);
  }
  CHECK(pool.stats().free == 1);
  const Texture other = pool.take({TexelType::kInt, 16, 36});
  CHECK(other.id() != id);
  const Texture again = pool.take({TexelType::kFloat, 16, 33});
  CHECK(again.id() == id);
  CHECK(pool.stats().free == 0);
}

TEST_CASE("Free textures stay within their budget, and go when asked to", "[gl][pool]") {
  const GlFixture gl;
  TexturePool& pool = Context::current()->textures();
  pool.trim();
  const Budget budget(pool, 100000);
  {
    std::vector<Texture> textures;
    textures.reserve(10);
    for (int i = 0; i < 10; ++i) textures.push_back(pool.take({TexelType::kFloat, 64, 32}));
    CHECK(pool.stats().used_bytes == 10 * 64 * 32 * 16);
  }
  CHECK(pool.stats().used_bytes == 0);
  CHECK(pool.stats().free_bytes == 3 * 64 * 32 * 16);
  pool.trim();
  CHECK(pool.stats().free_bytes == 0);
  CHECK(pool.stats().free == 0);
}

TEST_CASE("A thousand ops keep no more than they need", "[gl][pool]") {
  const GlFixture gl;
  TexturePool& pool = Context::current()->textures();
  pool.trim();
  Tensor x = on_device(random_values({100, 100}));
  for (int i = 0; i < 1000; ++i) x = mul(x, Tensor::scalar(0.999F));
  CHECK(pool.stats().used == 1);
  CHECK(pool.stats().free <= 2);
}

}  // namespace tenure::gl
