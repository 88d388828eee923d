#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/memory/memory_tracked.h"
#include "core/run/device.h"
#include "gl/device/feedback_buffer.h"
#include "gl/device/pack_buffers.h"
#include "gl/device/platform.h"
#include "gl/device/texture_pool.h"
#include "gl/device/tuning.h"
#include "gl/shader/program_cache.h"

namespace tenure::gl {

/// Capabilities of the device, found by probing it.
struct Capabilities {
  int max_texture_size = 0;
  /// Texel type of float tensors: kFloat, or kHalf where float32 textures are not renderable.
  TexelType float_type = TexelType::kFloat;
  bool parallel_compile = false;
  std::string renderer;
};

/// The engine's only GL context: its textures, its programs, and a cache of the GL bindings.
class Context : public MemoryTracked {
 public:
  /// Starts a new context in place of the current one. Returns false if the platform has no GLES 3 context,
  /// or one that cannot render to float textures. `canvas` is passed to open_platform().
  static bool start(int canvas = 0);
  /// Destroys the current context. Tensors whose values are only on it are lost.
  static void stop();
  /// Returns the number of contexts started so far, which identifies the current one.
  static unsigned generation();
  /// Returns the current context, or null if none was started.
  static Context* current();

  explicit Context(std::unique_ptr<Platform> platform);
  ~Context() override;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }
  /// Returns the kernel choices for this device, made when the context starts.
  const Tuning& tuning() const { return tuning_; }
  /// Returns the measured rates that the tuning was chosen from; all zero if the tuning was overridden.
  const DeviceRates& rates() const { return rates_; }
  /// Returns the texel type of new float tensors: that of capabilities(), or kHalf if prefer_half() asked for
  /// it.
  TexelType float_type() const { return prefers_half() ? TexelType::kHalf : capabilities_.float_type; }
  /// Stores float tensors of this and all later contexts as float16: half the memory, with 11 bits of
  /// precision.
  static void prefer_half(bool half);
  static bool prefers_half();
  const Platform& platform() const { return *platform_; }
  TexturePool& textures() { return *textures_; }
  const TexturePool& textures() const { return *textures_; }
  ProgramCache& programs() { return programs_; }
  const std::shared_ptr<PackBuffers>& pack_buffers() { return pack_buffers_; }
  FeedbackBuffer& feedback_buffer() { return feedback_buffer_; }
  const FeedbackBuffer& feedback_buffer() const { return feedback_buffer_; }

  /// Returns true once the device is lost. All textures are lost with it.
  bool lost();
  /// Marks the device as lost, as the platform's context-lost event does.
  void lose();

  /// Returns the bytes of the textures and buffers; nothing once the device is lost.
  DeviceMemoryUsage memory() const;
  void add_to(MemoryReport& report) const override;
  /// Deletes all free textures and buffers.
  void trim() noexcept override;

  /// While prelinking, passes only start to compile their programs and draw nothing. A model's first run
  /// begins so, in order that the driver links its programs in parallel. Turning it off waits for all
  /// programs.
  void set_prelinking(bool prelinking);
  bool prelinking() const { return prelinking_; }

  void use(ShaderProgram& program);
  void bind_texture(int unit, GLuint texture);
  /// Binds a texture to unit 0 and makes that the active unit, for GL calls that modify the bound texture.
  void bind_for_upload(GLuint texture);
  /// Deletes a texture that does not belong to the pool.
  void delete_texture(GLuint texture);
  /// Makes a texture the target of draws and reads. Draws cover `width` x `rows` texels from (`column`,
  /// `row`) on.
  void set_target(GLuint texture, int width, int rows, int column = 0, int row = 0);
  /// Draws once over the platform's canvas, which is `width` x `height` pixels.
  void draw_canvas(int width, int height);
  /// Throws Error(kInternal) in debug builds if GL reports an error.
  void check_errors(const char* where);

 private:
  void probe();
  void tune();
  void release();
  bool renders_to(TexelType type);
  void activate(int unit);
  void invalidate_bindings();

  static constexpr int kUnits = 16;
  std::unique_ptr<Platform> platform_;
  std::shared_ptr<TexturePool> textures_ = std::make_shared<TexturePool>();
  ProgramCache programs_;
  std::shared_ptr<PackBuffers> pack_buffers_ = std::make_shared<PackBuffers>();
  FeedbackBuffer feedback_buffer_;
  Capabilities capabilities_;
  DeviceRates rates_;
  Tuning tuning_;
  GLuint framebuffer_ = 0;
  GLuint vertex_array_ = 0;
  GLuint program_ = 0;
  GLuint bound_[kUnits] = {};
  int active_unit_ = -1;
  GLuint target_ = 0;
  std::array<int, 4> viewport_{};  ///< column, row, width, rows
  unsigned deletions_ = 0;
  bool lost_ = false;
  bool prelinking_ = false;
};

/// Returns the current context. Throws Error(kContextLost) if there is none, or if it is lost.
Context& context();

}  // namespace tenure::gl
