#include "gl/device/read.h"

#include "gl/device/context.h"
#include "gl/device/transfer.h"
#include "gl/shader/layout.h"

namespace tenure::gl {

PackedRead::PackedRead(const Texture& from, std::size_t elements) {
  Context& gl = context();
  const Layout layout(elements);
  buffers_ = gl.pack_buffers();
  buffer_ = buffers_->take(layout.texels * 16);
  pack(from, layout);
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  // Without a flush, the fence may never be signalled.
  glFlush();
}

PackedRead::~PackedRead() {
  Context* gl = Context::current();
  // The fence and the buffer belong to the context of the read.
  if (!gl || gl->lost() || gl->pack_buffers() != buffers_) return;
  glDeleteSync(fence_);
  buffers_->release(buffer_);
}

bool PackedRead::ready() const { return glClientWaitSync(fence_, 0, 0) != GL_TIMEOUT_EXPIRED; }

void PackedRead::finish(DType dtype, std::size_t elements, void* to) {
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
  unpack(dtype, elements, to);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

}  // namespace tenure::gl
