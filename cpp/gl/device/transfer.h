#pragma once

#include "core/dtype.h"
#include "gl/device/texture_pool.h"
#include "gl/shader/layout.h"

namespace tenure::gl {

/// Returns the texel type that elements of `dtype` are stored in.
TexelType texel_type(DType dtype);

/// Copies `elements` elements from `from` into a texture of their Layout. Reads up to 12 bytes past the end
/// of `from`.
void upload(const void* from, DType dtype, std::size_t elements, const Texture& to);

/// Copies `elements` elements from a texture to `to`. Waits until the device has computed them.
void download(const Texture& from, DType dtype, std::size_t elements, void* to);

/// Copies `elements` float32 elements from the buffer bound to GL_PIXEL_UNPACK_BUFFER into a texture.
void upload_from_buffer(std::size_t elements, const Texture& to);

/// Copies the texels of a layout into the buffer bound to GL_PIXEL_PACK_BUFFER: the first half of an
/// asynchronous download.
void pack(const Texture& from, const Layout& layout);
/// Copies `elements` elements from the buffer bound to GL_PIXEL_PACK_BUFFER to `to`: the second half of an
/// asynchronous download.
void unpack(DType dtype, std::size_t elements, void* to);

}  // namespace tenure::gl
