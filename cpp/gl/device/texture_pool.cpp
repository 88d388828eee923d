#include "gl/device/texture_pool.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace tenure::gl {
namespace {

int rounded_rows(int rows) {
  if (rows <= 8) return rows;
  const int step = 1 << (std::bit_width(static_cast<unsigned>(rows - 1)) - 4);
  return (rows + step - 1) / step * step;
}

GLenum internal_format(TexelType type) {
  switch (type) {
    case TexelType::kFloat: return GL_RGBA32F;
    case TexelType::kHalf: return GL_RGBA16F;
    case TexelType::kInt: return GL_RGBA32I;
  }
  return GL_NONE;
}

// glGetError() waits for the GPU, so only large allocations are checked.
constexpr std::size_t kCheckedBytes = std::size_t{1} << 20;

// Returns 0 if memory is exhausted.
GLuint make_texture(const TextureSize& size) {
  const bool is_checked = size.bytes() >= kCheckedBytes;
  while (is_checked && glGetError() != GL_NO_ERROR) {
  }
  GLuint id = 0;
  glGenTextures(1, &id);
  glBindTexture(GL_TEXTURE_2D, id);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexStorage2D(GL_TEXTURE_2D, 1, internal_format(size.type), size.width, size.rows);
  if (!is_checked || glGetError() == GL_NO_ERROR) return id;
  glDeleteTextures(1, &id);
  return 0;
}

}  // namespace

std::size_t TextureSize::bytes() const {
  const std::size_t texel = type == TexelType::kHalf ? 8 : 16;
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(rows) * texel;
}

Texture::~Texture() {
  if (pool_) pool_->release(id_, size_);
}

bool Texture::lost() const { return pool_->abandoned(); }

Texture TexturePool::take(TextureSize size) {
  size.rows = rounded_rows(size.rows);
  const std::size_t bytes = size.bytes();
  // Most recently used first: its memory is the likeliest to be cached.
  const auto found =
      std::find_if(free_.rbegin(), free_.rend(), [&](const Free& f) { return f.size == size; });
  GLuint id = 0;
  if (found != free_.rend()) {
    id = found->id;
    free_.erase(std::next(found).base());
    stats_.free_bytes -= bytes;
    --stats_.free;
  } else {
    id = make_texture(size);
    if (!id) {
      trim();
      id = make_texture(size);
    }
    // Creating the texture changed the binding of the active unit.
    ++deletions_;
    if (!id) {
      fail_with(ErrorCode::kOutOfMemory, text("out of GPU memory: cannot allocate ", bytes, " bytes; ",
                                              stats_.used_bytes, " bytes are in use"));
    }
  }
  stats_.used_bytes += bytes;
  ++stats_.used;
  return {shared_from_this(), id, size};
}

void TexturePool::release(GLuint id, const TextureSize& size) {
  stats_.used_bytes -= size.bytes();
  --stats_.used;
  if (abandoned_) return;
  free_.push_back({id, size});
  stats_.free_bytes += size.bytes();
  ++stats_.free;
  shrink_to(budget_);
}

void TexturePool::set_budget(std::size_t bytes) {
  budget_ = bytes;
  shrink_to(bytes);
}

void TexturePool::shrink_to(std::size_t bytes) {
  auto last = free_.begin();
  for (; stats_.free_bytes > bytes; ++last) {
    glDeleteTextures(1, &last->id);
    stats_.free_bytes -= last->size.bytes();
    --stats_.free;
    ++deletions_;
  }
  free_.erase(free_.begin(), last);
}

void TexturePool::abandon() {
  shrink_to(0);
  abandoned_ = true;
}

}  // namespace tenure::gl
