// Images to tensors and back: from bytes, from any source that the browser can copy into a texture, and onto
// the canvas.

#include <cstddef>
#include <memory>

#include "gl/device/pixels.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// Returns the picture that JavaScript fills between tn_start_picture() and tn_end_picture().
std::unique_ptr<gl::Picture>& picture() {
  static std::unique_ptr<gl::Picture> instance;
  return instance;
}

}  // namespace

/// Creates an int32[height, width, channels] tensor from RGBA bytes at `address`.
TENURE_CALL int tn_pixels(std::uintptr_t address, int height, int width, int channels) {
  return guarded([&] {
    const TensorSpec spec{{height, width, channels}, DType::kInt32};
    spec.shape.validate();
    check(channels >= 1 && channels <= 4, "expected 1 to 4 channels, got ", channels);
    Tensor out(spec);
    const auto* from = reinterpret_cast<const std::uint8_t*>(address);
    auto* to = out.mutable_data<std::int32_t>();
    for (std::size_t left = out.elements(); left > 0; left -= static_cast<std::size_t>(channels), from += 4) {
      to = std::copy_n(from, channels, to);
    }
    return export_result(std::move(out));
  });
}

/// Creates a picture of this size and binds its texture, for JavaScript to copy an image into.
TENURE_CALL int tn_start_picture(int width, int height) {
  return guarded([&] {
    picture() = std::make_unique<gl::Picture>(width, height);
    return 0;
  });
}

/// Converts the picture to int32[height, width, channels] and frees it. Only frees it if `channels` is 0.
TENURE_CALL int tn_end_picture(int channels) {
  return guarded([&] {
    const auto filled = std::move(picture());
    return channels == 0 ? 0 : export_result(filled->pixels(channels));
  });
}

/// Draws an image onto the context's canvas, which has the image's size.
TENURE_CALL int tn_draw(double handle) {
  return guarded([&] {
    gl::draw_to_canvas(ownership().get(id_from(handle)));
    return 0;
  });
}

}  // namespace tenure::wasm
