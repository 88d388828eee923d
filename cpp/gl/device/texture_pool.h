#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// Type of a texture's RGBA texels, which hold four elements each: float32, float16, or int32. Bools are
/// int32, 0 or 1.
enum class TexelType : unsigned char { kFloat, kHalf, kInt };

class TexturePool;

/// Texel type, width and rows of a texture.
struct TextureSize {
  TexelType type = TexelType::kFloat;
  int width = 0;
  int rows = 0;
  std::size_t bytes() const;
  friend bool operator==(const TextureSize&, const TextureSize&) = default;
};

/// A texture on loan from a pool. The destructor returns it.
class Texture {
 public:
  Texture(std::shared_ptr<TexturePool> pool, GLuint id, const TextureSize& size)
      : pool_(std::move(pool)), id_(id), size_(size) {}
  Texture(Texture&&) noexcept = default;
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture();
  GLuint id() const { return id_; }
  const TextureSize& size() const { return size_; }
  /// True if its context is gone, and its texels with it.
  bool lost() const;

 private:
  std::shared_ptr<TexturePool> pool_;
  GLuint id_;
  TextureSize size_;
};

struct TextureStats {
  std::size_t used_bytes = 0;
  std::size_t free_bytes = 0;
  std::size_t used = 0;
  std::size_t free = 0;
};

/// The textures of one context. Free textures are kept for reuse, up to a budget in bytes; the least recently
/// used are deleted first.
class TexturePool : public std::enable_shared_from_this<TexturePool> {
 public:
  static constexpr std::size_t kDefaultBudget = std::size_t{64} << 20;

  /// Returns a texture of at least `size` with uninitialised texels. Rows are rounded up to one of eight size
  /// classes an octave. If memory is exhausted, trims the pool and retries, then throws Error(kOutOfMemory).
  Texture take(TextureSize size);
  /// Deletes all free textures.
  void trim() { shrink_to(0); }
  /// Sets the maximum number of bytes in free textures, and deletes those beyond it.
  void set_budget(std::size_t bytes);
  /// Marks all textures as lost and deletes the free ones, for a context that is lost or about to end.
  void abandon();
  bool abandoned() const { return abandoned_; }
  const TextureStats& stats() const { return stats_; }
  /// Returns a counter that changes whenever texture ids or bindings may have changed: a deleted texture's id
  /// may be reused.
  unsigned deletions() const { return deletions_; }

 private:
  friend class Texture;
  struct Free {
    GLuint id;
    TextureSize size;
  };
  void release(GLuint id, const TextureSize& size);
  void shrink_to(std::size_t bytes);

  std::vector<Free> free_;  // least recently used first
  TextureStats stats_;
  std::size_t budget_ = kDefaultBudget;
  unsigned deletions_ = 0;
  bool abandoned_ = false;
};

}  // namespace tenure::gl
