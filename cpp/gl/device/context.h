#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/memory/memory_user.h"
#include "gl/device/feedback_buffer.h"
#include "gl/device/pack_buffers.h"
#include "gl/device/platform.h"
#include "gl/device/texture_pool.h"
#include "gl/device/tuning.h"
#include "gl/shader/program_cache.h"

namespace tenure::gl {

/// What the device can do, found out by trying.
struct Abilities {
  int max_texture_size = 0;
  /// What float tensors are kept in: kFloat, or kHalf where float32 cannot be rendered to.
  TexelType float_type = TexelType::kFloat;
  bool parallel_compile = false;
  std::string renderer;
};

/// The one GL context of the engine: its textures and programs, and what is bound.
class Context : public MemoryUser {
 public:
  /// False when the platform has no GLES 3 context, or one that cannot render to float textures. `canvas` as
  /// in open_platform().
  static bool start(int canvas = 0);
  /// Ends it; tensors that are only there are lost.
  static void stop();
  /// How many were started.
  static unsigned epoch();
  /// Null when none was started.
  static Context* current();

  explicit Context(std::unique_ptr<Platform> platform);
  ~Context() override;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Abilities& abilities() const { return abilities_; }
  /// The choices between kernels that suit the device, measured when the context starts.
  const Tuning& tuning() const { return tuning_; }
  /// What they follow from; zeros where they were overridden.
  const DeviceRates& rates() const { return rates_; }
  /// What float tensors are kept in from now on: the ability, or float16 where it was asked for.
  TexelType float_type() const { return prefers_half() ? TexelType::kHalf : abilities_.float_type; }
  /// Keeps float tensors in half the memory, with 11 bits of precision; of this and all later contexts.
  static void prefer_half(bool half);
  static bool prefers_half();
  const Platform& platform() const { return *platform_; }
  TexturePool& textures() { return *textures_; }
  const TexturePool& textures() const { return *textures_; }
  ProgramCache& programs() { return programs_; }
  const std::shared_ptr<PackBuffers>& pack_buffers() { return pack_buffers_; }
  FeedbackBuffer& feedback_buffer() { return feedback_buffer_; }
  const FeedbackBuffer& feedback_buffer() const { return feedback_buffer_; }

  /// True once the device is gone; every texture is then lost.
  bool lost();
  /// Says that the device is gone, as the platform's event does.
  void lose();

  void add_to(Account& account) const override;
  /// Deletes textures and buffers that nobody uses.
  void trim() noexcept override;

  /// While collecting, passes start their programs and draw nothing: a model's first run begins with it, so
  /// that its programs are linked side by side.
  void set_collecting(bool collecting);
  bool collecting() const { return collecting_; }

  void use(Program& program);
  void bind_texture(int unit, GLuint texture);
  /// Binds the texture where calls that change a texture find it.
  void edit_texture(GLuint texture);
  /// Of a texture that is not the pool's.
  void delete_texture(GLuint texture);
  /// Draws and reads go to the texture; draws to so many texels of it, from this one on.
  void set_target(GLuint texture, int width, int rows, int column = 0, int row = 0);
  /// Draws once all over the platform's canvas, which has this size.
  void draw_canvas(int width, int height);
  /// In debug builds, throws when GL has an error to report.
  void check_errors(const char* where);

 private:
  void probe();
  void tune();
  void release();
  bool renders_to(TexelType type);
  void activate(int unit);
  void forget_bindings();

  static constexpr int kUnits = 16;
  std::unique_ptr<Platform> platform_;
  std::shared_ptr<TexturePool> textures_ = std::make_shared<TexturePool>();
  ProgramCache programs_;
  std::shared_ptr<PackBuffers> pack_buffers_ = std::make_shared<PackBuffers>();
  FeedbackBuffer feedback_buffer_;
  Abilities abilities_;
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
  bool collecting_ = false;
};

/// The current context; throws Error(kContextLost) when there is none, or when it is lost.
Context& context();

}  // namespace tenure::gl
