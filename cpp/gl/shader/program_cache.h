#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "gl/shader/program.h"

namespace tenure::gl {

/// Programs by key: an op's name and its variant, never its shapes.
class ProgramCache {
 public:
  ProgramCache();
  ~ProgramCache() { clear(); }
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// Returns the program of `key`; inserts make(), a std::unique_ptr<ShaderProgram>, if there is none.
  template <class Make>
  ShaderProgram& find_or_start(std::string_view key, Make make) {
    const auto found = programs_.find(key);
    if (found != programs_.end()) return *found->second;
    return *programs_.emplace(key, make()).first->second;
  }
  /// Returns the vertex shader that covers the target with one triangle.
  GLuint vertex_shader() const { return vertex_shader_; }
  /// Returns the empty fragment shader, for programs whose vertices compute.
  GLuint empty_fragment_shader() const { return empty_fragment_shader_; }
  /// Waits until all programs are linked. Programs that the driver rejects are skipped; they throw when they
  /// are used.
  void finish_all();
  void clear();
  std::size_t size() const { return programs_.size(); }

 private:
  GLuint vertex_shader_;
  GLuint empty_fragment_shader_;
  std::map<std::string, std::unique_ptr<ShaderProgram>, std::less<>> programs_;
};

}  // namespace tenure::gl
