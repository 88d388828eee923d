#include "gl/shader/program_cache.h"

#include <utility>

#include "gl/shader/glsl.h"

namespace tenure::gl {
namespace {

// One triangle that covers the target, without vertex buffers. uv_ is the fragment's position in textures
// that have the target's layout, whose used part is the fraction span_ of their width and height.
constexpr std::string_view kVertexShader = R"(
  #version 300 es
  uniform vec2 span_;
  out vec2 uv_;

  void main() {
    vec2 at = vec2(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1.);
    uv_ = (at * .5 + .5) * span_;
    gl_Position = vec4(at, 0, 1);
  }
)"_glsl;

constexpr std::string_view kEmptyShader = R"(
  #version 300 es

  void main() {}
)"_glsl;

}  // namespace

ProgramCache::ProgramCache()
    : vertex_shader_(compile(GL_VERTEX_SHADER, kVertexShader)),
      empty_fragment_shader_(compile(GL_FRAGMENT_SHADER, kEmptyShader)) {}

void ProgramCache::clear() {
  programs_.clear();
  glDeleteShader(std::exchange(vertex_shader_, 0));
  glDeleteShader(std::exchange(empty_fragment_shader_, 0));
}

void ProgramCache::finish_all() {
  for (auto& [key, program] : programs_) {
    // A rejected program throws when it is used.
    if (!program->finished() && program->links()) program->finish();
  }
}

}  // namespace tenure::gl
