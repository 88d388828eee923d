#include "gl/program_cache.h"

namespace tenure::gl {
namespace {

// One triangle that covers the target, from no buffer at all.
constexpr std::string_view kVertexShader =
    "#version 300 es\n"
    "void main(){gl_Position=vec4(gl_VertexID==1?3.:-1.,gl_VertexID==2?3.:-1.,0,1);}";

constexpr std::string_view kEmptyShader = "#version 300 es\nvoid main(){}";

}  // namespace

ProgramCache::ProgramCache()
    : vertex_shader_(compile(GL_VERTEX_SHADER, kVertexShader)),
      empty_fragment_shader_(compile(GL_FRAGMENT_SHADER, kEmptyShader)) {}

ProgramCache::~ProgramCache() {
  glDeleteShader(vertex_shader_);
  glDeleteShader(empty_fragment_shader_);
}

void ProgramCache::finish_all() {
  for (auto& [key, program] : programs_) {
    if (!program->finished()) program->finish();
  }
}

}  // namespace tenure::gl
