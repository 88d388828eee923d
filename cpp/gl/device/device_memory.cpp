#include "gl/device/device_memory.h"

#include "core/error.h"
#include "gl/backend.h"
#include "gl/device/context.h"
#include "gl/device/transfer.h"
#include "gl/shader/layout.h"

namespace tenure::gl {
namespace {

std::unique_ptr<TextureMemory> allocate(const Tensor& tensor, TexelType type) {
  const Layout layout(tensor.elements());
  Texture texture = context().textures().take({type, layout.width, layout.rows});
  return std::make_unique<TextureMemory>(std::move(texture), tensor.dtype(), tensor.elements());
}

void check_alive(const DeviceMemory& memory) {
  if (!memory.lost()) return;
  fail_with(ErrorCode::kContextLost, "the WebGL context was lost, and with it the values of this tensor");
}

}  // namespace

TextureMemory::TextureMemory(Texture texture, DType dtype, std::size_t elements)
    : DeviceMemory(gl::device()), texture_(std::move(texture)), dtype_(dtype), elements_(elements) {}

void TextureMemory::start_read() {
  check_alive(*this);
  if (!read_) read_ = std::make_unique<PackedRead>(texture_, elements_);
}

bool TextureMemory::is_read_ready() const { return lost() || !read_ || read_->ready(); }

void TextureMemory::download(void* to) {
  check_alive(*this);
  if (read_) {
    read_->finish(dtype_, elements_, to);
    read_.reset();
  } else {
    gl::download(texture_, dtype_, elements_, to);
  }
  // If the context is lost during the read, GL returns zeros.
  Context::current()->lost();
  check_alive(*this);
}

const Texture& get_texture(const Tensor& tensor) {
  const DeviceMemory& memory = device().get_copy(tensor);
  check_alive(memory);
  return static_cast<const TextureMemory&>(memory).texture();
}

std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) {
  auto memory = allocate(tensor, texel_type(tensor.dtype()));
  upload(tensor.storage()->data(), tensor.dtype(), tensor.elements(), memory->texture());
  return memory;
}

const Texture& allocate_output(Tensor& tensor, TexelType type) {
  auto memory = allocate(tensor, type);
  const Texture& texture = memory->texture();
  tensor.storage()->move_to(std::move(memory));
  return texture;
}

}  // namespace tenure::gl
