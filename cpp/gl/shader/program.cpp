#include "gl/shader/program.h"

#include <cstring>

#include "core/error.h"

namespace tenure::gl {
namespace {

// The length includes the terminating zero.
template <class Read>
std::string read_text(GLint length, Read read) {
  if (length <= 1) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  read(length, text.data());
  text.pop_back();
  return text;
}

std::string get_program_log(GLuint id) {
  GLint length = 0;
  glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
  return read_text(length, [&](GLint size, char* to) { glGetProgramInfoLog(id, size, nullptr, to); });
}

std::string get_shader_log(GLuint id) {
  GLint length = 0;
  glGetShaderiv(id, GL_INFO_LOG_LENGTH, &length);
  return read_text(length, [&](GLint size, char* to) { glGetShaderInfoLog(id, size, nullptr, to); });
}

std::string get_shader_source(GLuint id) {
  GLint length = 0;
  glGetShaderiv(id, GL_SHADER_SOURCE_LENGTH, &length);
  return read_text(length, [&](GLint size, char* to) { glGetShaderSource(id, size, nullptr, to); });
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

ShaderProgram::ShaderProgram(GLuint other, GLenum stage, const std::string& shader,
                             std::span<const char* const> samplers, int texels)
    : id_(glCreateProgram()), shader_(compile(stage, shader)), samplers_(samplers.begin(), samplers.end()) {
  glAttachShader(id_, other);
  glAttachShader(id_, shader_);
  if (texels > 0) glTransformFeedbackVaryings(id_, texels, kFeedback, GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(id_);
}

ShaderProgram::~ShaderProgram() {
  glDeleteShader(shader_);
  glDeleteProgram(id_);
}

bool ShaderProgram::links() const {
  GLint linked = GL_FALSE;
  glGetProgramiv(id_, GL_LINK_STATUS, &linked);
  return linked != GL_FALSE;
}

void ShaderProgram::finish() {
  if (!links()) {
    fail_with(ErrorCode::kInternal, text("a shader does not compile: ", get_shader_log(shader_),
                                         get_program_log(id_), get_shader_source(shader_)));
  }
  glUseProgram(id_);
  for (std::size_t i = 0; i < samplers_.size(); ++i) {
    glUniform1i(glGetUniformLocation(id_, samplers_[i]), static_cast<GLint>(i));
    layouts_.push_back(glGetUniformLocation(id_, text(samplers_[i], "_").c_str()));
  }
  glDeleteShader(std::exchange(shader_, 0));
  finished_ = true;
}

GLint ShaderProgram::location(const char* name) {
  for (const auto& [known, location] : locations_) {
    if (known == name || std::strcmp(known, name) == 0) return location;
  }
  return locations_.emplace_back(name, glGetUniformLocation(id_, name)).second;
}

}  // namespace tenure::gl
