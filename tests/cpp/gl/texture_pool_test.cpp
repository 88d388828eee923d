#include "gl/texture_pool.h"

#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {

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
  pool.set_budget(100000);
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
  pool.set_budget(TexturePool::kDefaultBudget);
}

TEST_CASE("A thousand ops keep no more than they need", "[gl][pool]") {
  const GlFixture gl;
  TexturePool& pool = Context::current()->textures();
  pool.trim();
  Tensor x = on_device(some_values({100, 100}));
  for (int i = 0; i < 1000; ++i) x = mul(x, Tensor::scalar(0.999F));
  CHECK(pool.stats().used == 1);
  CHECK(pool.stats().free <= 2);
}

}  // namespace tenure::gl
