#include "gl/device/transfer.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "gl/device/context.h"

namespace tenure::gl {
namespace {

struct Format {
  GLenum format;
  GLenum type;
};

Format pixel_format(TexelType type) {
  return type == TexelType::kInt ? Format{GL_RGBA_INTEGER, GL_INT} : Format{GL_RGBA, GL_FLOAT};
}

/// Calls visit(row, width, rows, first element) for the texels of a layout as rectangles: the full rows, then
/// the partial last row.
template <class Visit>
void for_each_part(const Layout& layout, Visit visit) {
  const auto width = static_cast<std::size_t>(layout.width);
  const auto whole = static_cast<int>(layout.texels / width);
  const auto rest = static_cast<int>(layout.texels % width);
  if (whole > 0) visit(0, layout.width, whole, std::size_t{0});
  if (rest > 0) visit(whole, rest, 1, static_cast<std::size_t>(whole) * width * 4);
}

void upload_words(const std::int32_t* from, const Layout& layout, const Texture& to) {
  context().bind_for_upload(to.id());
  const Format f = pixel_format(to.size().type);
  for_each_part(layout, [&](int row, int width, int rows, std::size_t first) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, width, rows, f.format, f.type, from + first);
  });
}

void download_words(const Texture& from, std::size_t elements, std::int32_t* to) {
  const Layout layout(elements);
  context().set_target(from.id(), layout.width, layout.rows);
  const Format f = pixel_format(from.size().type);
  for_each_part(layout, [&](int row, int width, int rows, std::size_t first) {
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(rows) * 4;
    if (first + count <= elements) {
      glReadPixels(0, row, width, rows, f.format, f.type, to + first);
      return;
    }
    // The last texel may hold more elements than the tensor has.
    std::vector<std::int32_t> texels(count);
    glReadPixels(0, row, width, rows, f.format, f.type, texels.data());
    std::memcpy(to + first, texels.data(), (elements - first) * sizeof(std::int32_t));
  });
}

/// Returns the offset of 32-bit word `first` in the bound pixel buffer, as the pointer argument that GL
/// expects.
void* offset_in_buffer(std::size_t first) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<void*>(first * sizeof(std::int32_t));
}

/// Calls read() with memory for 32-bit words, and converts the words to bytes for a bool tensor.
template <class Read>
void as_words(DType dtype, std::size_t elements, void* to, Read read) {
  if (dtype != DType::kBool) return read(static_cast<std::int32_t*>(to));
  std::vector<std::int32_t> words(elements);
  read(words.data());
  auto* bytes = static_cast<std::uint8_t*>(to);
  for (std::size_t i = 0; i < elements; ++i) bytes[i] = words[i] != 0;
}

}  // namespace

TexelType texel_type(DType dtype) {
  return dtype == DType::kFloat32 ? context().float_type() : TexelType::kInt;
}

void upload(const void* from, DType dtype, std::size_t elements, const Texture& to) {
  const Layout layout(elements);
  if (dtype != DType::kBool) {
    upload_words(static_cast<const std::int32_t*>(from), layout, to);
  } else {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    std::vector<std::int32_t> words(layout.texels * 4);
    for (std::size_t i = 0; i < elements; ++i) words[i] = bytes[i] != 0;
    upload_words(words.data(), layout, to);
  }
  context().check_errors("an upload");
}

void upload_from_buffer(std::size_t elements, const Texture& to) {
  context().bind_for_upload(to.id());
  for_each_part(Layout(elements), [&](int row, int width, int rows, std::size_t first) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row, width, rows, GL_RGBA, GL_FLOAT, offset_in_buffer(first));
  });
}

void download(const Texture& from, DType dtype, std::size_t elements, void* to) {
  as_words(dtype, elements, to, [&](std::int32_t* words) { download_words(from, elements, words); });
  context().check_errors("a download");
}

void pack(const Texture& from, const Layout& layout) {
  context().set_target(from.id(), layout.width, layout.rows);
  const Format f = pixel_format(from.size().type);
  for_each_part(layout, [&](int row, int width, int rows, std::size_t first) {
    glReadPixels(0, row, width, rows, f.format, f.type, offset_in_buffer(first));
  });
}

void unpack(DType dtype, std::size_t elements, void* to) {
  as_words(dtype, elements, to, [&](std::int32_t* words) {
    context().platform().read_pack_buffer(words, elements * sizeof(std::int32_t));
  });
  context().check_errors("a read");
}

}  // namespace tenure::gl
