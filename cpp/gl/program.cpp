#include "gl/program.h"

#include <cstring>

#include "core/error.h"

namespace tenure::gl {
namespace {

template <class GetLength, class GetLog>
std::string log_of(GLuint id, GetLength get_length, GetLog get_log) {
  GLint length = 0;
  get_length(id, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
  if (length > 0) get_log(id, length, nullptr, log.data());
  return log;
}

std::string source_of(GLuint shader) {
  GLint length = 0;
  glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
  std::string source(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
  if (length > 0) glGetShaderSource(shader, length, nullptr, source.data());
  return source;
}

}  // namespace

GLuint compile(GLenum stage, std::string_view source) {
  const GLuint shader = glCreateShader(stage);
  const char* start = source.data();
  const auto length = static_cast<GLint>(source.size());
  glShaderSource(shader, 1, &start, &length);
  glCompileShader(shader);
  return shader;
}

Program::Program(GLuint vertex_shader, const std::string& fragment, std::span<const char* const> samplers)
    : id_(glCreateProgram()),
      fragment_(compile(GL_FRAGMENT_SHADER, fragment)),
      samplers_(samplers.begin(), samplers.end()) {
  glAttachShader(id_, vertex_shader);
  glAttachShader(id_, fragment_);
  glLinkProgram(id_);
}

Program::~Program() {
  glDeleteShader(fragment_);
  glDeleteProgram(id_);
}

void Program::finish() {
  GLint linked = GL_FALSE;
  glGetProgramiv(id_, GL_LINK_STATUS, &linked);
  if (!linked) {
    fail_with(ErrorCode::kInternal,
              text("a shader does not compile: ", log_of(id_, glGetProgramiv, glGetProgramInfoLog),
                   log_of(fragment_, glGetShaderiv, glGetShaderInfoLog), source_of(fragment_)));
  }
  glUseProgram(id_);
  for (std::size_t i = 0; i < samplers_.size(); ++i) {
    glUniform1i(glGetUniformLocation(id_, samplers_[i]), static_cast<GLint>(i));
    layouts_.push_back(glGetUniformLocation(id_, text(samplers_[i], "_").c_str()));
  }
  glDeleteShader(std::exchange(fragment_, 0));
  finished_ = true;
}

GLint Program::location(const char* name) {
  for (const auto& [known, location] : locations_) {
    if (known == name || std::strcmp(known, name) == 0) return location;
  }
  return locations_.emplace_back(name, glGetUniformLocation(id_, name)).second;
}

}  // namespace tenure::gl
