#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "gl/shader/program.h"

namespace tenure::gl {

/// One program for each key: an op's name and its variant, never its shapes.
class ProgramCache {
 public:
  ProgramCache();
  ~ProgramCache() { clear(); }
  ProgramCache(const ProgramCache&) = delete;
  ProgramCache& operator=(const ProgramCache&) = delete;

  /// The program of `key`; if there is none yet, starts the one of make(), which gives a
  /// std::unique_ptr<Program>.
  template <class Make>
  Program& find_or_start(std::string_view key, Make make) {
    const auto found = programs_.find(key);
    if (found != programs_.end()) return *found->second;
    return *programs_.emplace(key, make()).first->second;
  }
  /// Covers the target with one triangle.
  GLuint vertex_shader() const { return vertex_shader_; }
  /// For programs whose vertices compute.
  GLuint empty_fragment_shader() const { return empty_fragment_shader_; }
  /// Waits until all that were started are linked; throws what Program::finish() does.
  void finish_all();
  void clear();
  std::size_t size() const { return programs_.size(); }

 private:
  GLuint vertex_shader_;
  GLuint empty_fragment_shader_;
  std::map<std::string, std::unique_ptr<Program>, std::less<>> programs_;
};

}  // namespace tenure::gl
