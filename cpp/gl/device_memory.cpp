#include "gl/device_memory.h"

#include "core/crossings.h"
#include "core/error.h"
#include "gl/context.h"
#include "gl/layout.h"
#include "gl/transfer.h"

namespace tenure::gl {
namespace {

std::unique_ptr<TextureMemory> allocate(const Tensor& tensor) {
  const Layout layout(tensor.elements());
  Texture texture = context().textures().take({texel_type(tensor.dtype()), layout.width, layout.rows});
  return std::make_unique<TextureMemory>(std::move(texture), tensor.dtype(), tensor.elements());
}

std::unique_ptr<TextureMemory> upload_all(const Tensor& tensor) {
  auto memory = allocate(tensor);
  upload(tensor.storage()->data(), tensor.dtype(), tensor.elements(), memory->texture());
  ++crossings().uploads;
  crossings().bytes += tensor.bytes();
  return memory;
}

}  // namespace

void TextureMemory::download(void* to) {
  if (lost()) {
    fail_with(ErrorCode::kContextLost, "the WebGL context was lost, and with it the values of this tensor");
  }
  gl::download(texture_, dtype_, elements_, to);
  ++crossings().downloads;
  crossings().bytes += elements_ * size_of(dtype_);
}

const Texture& texture_of(const Tensor& tensor) {
  Storage& storage = *tensor.storage().get();
  DeviceMemory* memory = storage.device();
  if (memory && memory->lost() && storage.on_cpu()) memory = nullptr;
  if (!memory) {
    storage.set_copy(upload_all(tensor));
    memory = storage.device();
  }
  if (memory->lost()) {
    fail_with(ErrorCode::kContextLost, "the WebGL context was lost, and with it the values of this tensor");
  }
  return static_cast<const TextureMemory*>(memory)->texture();
}

void move_to_device(Tensor& tensor) { tensor.storage()->move_to(upload_all(tensor)); }

const Texture& make_target(Tensor& tensor) {
  auto memory = allocate(tensor);
  const Texture& texture = memory->texture();
  tensor.storage()->move_to(std::move(memory));
  return texture;
}

}  // namespace tenure::gl
