#include "gl/device/context.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace tenure::gl {
namespace {

std::unique_ptr<Context>& instance() {
  static std::unique_ptr<Context> context;
  return context;
}

unsigned& contexts_started() {
  static unsigned count = 0;
  return count;
}

bool& half_preferred() {
  static bool preferred = false;
  return preferred;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Substrings of GL_RENDERER that identify software renderers. web/generate.mjs generates the TypeScript list
/// from this one.
constexpr std::string_view kSoftwareRenderers[] = {"llvmpipe", "softpipe", "SwiftShader",
                                                   "Microsoft Basic Render"};

bool has_extension(std::string_view name) {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const GLubyte* known = glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
    if (known && contains(reinterpret_cast<const char*>(known), name)) return true;
  }
  return false;
}

}  // namespace

bool is_software_renderer(std::string_view renderer) {
  return std::any_of(std::begin(kSoftwareRenderers), std::end(kSoftwareRenderers),
                     [&](std::string_view name) { return contains(renderer, name); });
}

bool Context::start(int canvas) {
  stop();
  ++contexts_started();
  auto platform = open_platform(canvas);
  if (!platform) return false;
  auto context = std::make_unique<Context>(std::move(platform));
  // The device renders to neither float32 nor float16 textures, so nothing can be computed on it.
  if (context->capabilities().float_type == TexelType::kInt) return false;
  instance() = std::move(context);
  return true;
}

void Context::prefer_half(bool half) { half_preferred() = half; }
bool Context::prefers_half() { return half_preferred(); }
unsigned Context::generation() { return contexts_started(); }
void Context::stop() { instance().reset(); }
Context* Context::current() { return instance().get(); }

Context::Context(std::unique_ptr<Platform> platform) : platform_(std::move(platform)) {
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  // GLES 3 draws need a bound vertex array, even one without attributes.
  glGenVertexArrays(1, &vertex_array_);
  glBindVertexArray(vertex_array_);
  for (const GLenum feature : {GL_BLEND, GL_DEPTH_TEST, GL_DITHER, GL_SCISSOR_TEST, GL_CULL_FACE})
    glDisable(feature);
  // Emscripten caches the buffer bindings of the previous context, which may have been lost in the middle of
  // a read.
  for (const GLenum target : {GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER}) glBindBuffer(target, 0);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  probe();
}

Context::~Context() {
  if (!lost_) release();
}

void Context::release() {
  textures_->abandon();
  pack_buffers_->abandon();
  feedback_buffer_.trim();
  programs_.clear();
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteVertexArrays(1, &vertex_array_);
}

void Context::probe() {
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &capabilities_.max_texture_size);
  capabilities_.renderer = platform_->renderer();
  capabilities_.parallel_compile = has_extension("KHR_parallel_shader_compile");
  capabilities_.float_type = renders_to(TexelType::kFloat)  ? TexelType::kFloat
                             : renders_to(TexelType::kHalf) ? TexelType::kHalf
                                                            : TexelType::kInt;
  if (capabilities_.float_type != TexelType::kInt) tune();
}

void Context::tune() {
  if (const std::optional<Tuning>& tuning = overridden_tuning()) {
    tuning_ = *tuning;
    return;
  }
  // The device does not change, so a restored context reuses the rates that were measured before.
  struct Measured {
    std::string renderer;
    DeviceRates rates;
  };
  static std::optional<Measured> measured;
  if (!measured || measured->renderer != capabilities_.renderer) {
    measured = {capabilities_.renderer, measure_rates(*this)};
    // A later program may get the id of one of the probe's deleted programs.
    program_ = 0;
  }
  rates_ = measured->rates;
  tuning_ = choose_tuning(rates_);
}

// Phones list extensions that do not work, so this renders a texel and reads it back.
bool Context::renders_to(TexelType type) {
  constexpr float kExpected[] = {0.5F, -3, 1024, 0.125F};
  float got[4] = {};
  {
    const Texture texture = textures_->take({type, 1, 1});
    set_target(texture.id(), 1, 1);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
      glClearBufferfv(GL_COLOR, 0, kExpected);
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, got);
    }
  }
  textures_->trim();
  while (glGetError() != GL_NO_ERROR) {
  }
  return std::equal(std::begin(got), std::end(got), std::begin(kExpected));
}

bool Context::lost() {
  if (!lost_ && platform_->lost()) lose();
  return lost_;
}

void Context::lose() {
  if (lost_) return;
  lost_ = true;
  // A restored context has none of the old objects, so everything is released at once.
  release();
}

void Context::set_prelinking(bool prelinking) {
  prelinking_ = prelinking;
  if (!prelinking) programs_.finish_all();
  program_ = 0;
}

void Context::invalidate_bindings() {
  if (deletions_ == textures_->deletions()) return;
  deletions_ = textures_->deletions();
  std::fill(std::begin(bound_), std::end(bound_), 0);
  target_ = 0;
}

void Context::use(ShaderProgram& program) {
  if (program_ == program.id()) return;
  if (!program.finished()) program.finish();
  glUseProgram(program.id());
  program_ = program.id();
}

void Context::activate(int unit) {
  if (active_unit_ == unit) return;
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  active_unit_ = unit;
}

void Context::bind_texture(int unit, GLuint texture) {
  invalidate_bindings();
  if (bound_[unit] == texture) return;
  activate(unit);
  glBindTexture(GL_TEXTURE_2D, texture);
  bound_[unit] = texture;
}

void Context::bind_for_upload(GLuint texture) {
  activate(0);
  bind_texture(0, texture);
}

void Context::delete_texture(GLuint texture) {
  glDeleteTextures(1, &texture);
  std::replace(std::begin(bound_), std::end(bound_), texture, GLuint{0});
}

void Context::set_target(GLuint texture, int width, int rows, int column, int row) {
  invalidate_bindings();
  if (target_ != texture) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    target_ = texture;
  }
  const std::array viewport{column, row, width, rows};
  if (viewport_ == viewport) return;
  glViewport(column, row, width, rows);
  viewport_ = viewport;
}

void Context::draw_canvas(int width, int height) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  viewport_ = {};
}

DeviceMemoryUsage Context::memory() const {
  // The platform reports a loss before its event has called lose().
  if (lost_ || platform_->lost()) return {};
  return {textures_->stats().used_bytes, textures_->stats().free_bytes + feedback_buffer_.bytes()};
}

void Context::add_to(MemoryReport& report) const { report.add_device(memory()); }

void Context::trim() noexcept {
  if (lost()) return;
  textures_->trim();
  pack_buffers_->trim();
  feedback_buffer_.trim();
}

void Context::check_errors([[maybe_unused]] const char* where) {
#ifdef TENURE_DEBUG
  const GLenum error = glGetError();
  if (error != GL_NO_ERROR && !lost()) {
    fail_with(ErrorCode::kInternal, text("GL error ", error, " in ", where));
  }
#endif
}

Context& context() {
  Context* current = Context::current();
  if (!current || current->lost()) fail_with(ErrorCode::kContextLost, "the WebGL context is lost");
  return *current;
}

}  // namespace tenure::gl
