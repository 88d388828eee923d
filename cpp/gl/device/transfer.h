#pragma once

#include "core/dtype.h"
#include "gl/device/texture_pool.h"
#include "gl/shader/layout.h"

namespace tenure::gl {

/// The kind of texels that elements of a type are kept in.
TexelType texel_type(DType dtype);

/// Copies `elements` elements into a texture of their Layout; up to 12 bytes behind them are read.
void upload(const void* from, DType dtype, std::size_t elements, const Texture& to);

/// Copies them back; waits until the device has computed them.
void download(const Texture& from, DType dtype, std::size_t elements, void* to);

/// Copies them from the buffer bound to GL_PIXEL_UNPACK_BUFFER, floats alone.
void upload_from_buffer(std::size_t elements, const Texture& to);

/// A download in two halves, through the buffer bound to GL_PIXEL_PACK_BUFFER.
void pack(const Texture& from, const Layout& layout);
void unpack(DType dtype, std::size_t elements, void* to);

}  // namespace tenure::gl
