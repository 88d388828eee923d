#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// What a texture's texels hold, four to each: float32, float16, or int32 (bools too, as 0 and 1).
enum class TexelType : unsigned char { kFloat, kHalf, kInt };

class TexturePool;

/// Width and rows of one kind of texel.
struct TextureSize {
  TexelType type = TexelType::kFloat;
  int width = 0;
  int rows = 0;
  std::size_t bytes() const;
  friend bool operator==(const TextureSize&, const TextureSize&) = default;
};

/// A texture on loan: it goes back to its pool when this is destroyed.
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
  /// True when the context that it belonged to is gone, and its texels with it.
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

/// Textures of one context. Those given back wait, up to a budget of bytes, for the next that wants their
/// size.
class TexturePool : public std::enable_shared_from_this<TexturePool> {
 public:
  static constexpr std::size_t kDefaultBudget = std::size_t{64} << 20;

  /// At least `size`, rows rounded up to one of eight sizes an octave; texels are uninitialised. When memory
  /// ends: trims, tries once more, then throws Error(kOutOfMemory).
  Texture take(TextureSize size);
  /// Deletes the textures that nobody uses.
  void trim() { shrink_to(0); }
  /// Bytes that free textures may hold.
  void set_budget(std::size_t bytes);
  /// Forgets all textures: the context is lost or about to end.
  void abandon();
  bool abandoned() const { return abandoned_; }
  const TextureStats& stats() const { return stats_; }
  /// Changes when a texture is deleted, whose number may then come back for another one.
  unsigned deletions() const { return deletions_; }

 private:
  friend class Texture;
  struct Free {
    GLuint id;
    TextureSize size;
  };
  void give_back(GLuint id, const TextureSize& size);
  void shrink_to(std::size_t bytes);

  std::vector<Free> free_;  // the longest unused first
  TextureStats stats_;
  std::size_t budget_ = kDefaultBudget;
  unsigned deletions_ = 0;
  bool abandoned_ = false;
};

}  // namespace tenure::gl
