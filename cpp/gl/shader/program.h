#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// A linked pair of a vertex and a fragment shader. The constructor only starts linking, so that a driver can
/// link many programs in parallel; finish() waits for it.
class ShaderProgram {
 public:
  /// Starts compiling and linking. `shader` is the source of the stage that computes (`stage`), `other` the
  /// shared shader of the other stage. Sampler i reads from texture unit i. Vertices write the first `texels`
  /// varyings of kFeedback.
  ShaderProgram(GLuint other, GLenum stage, const std::string& shader, std::span<const char* const> samplers,
                int texels);
  ~ShaderProgram();
  ShaderProgram(const ShaderProgram&) = delete;
  ShaderProgram& operator=(const ShaderProgram&) = delete;

  /// Waits for the driver. Returns false if it rejected the source.
  bool links() const;
  /// Waits until the program is linked. Throws Error(kInternal) with the driver's log and the source if it
  /// does not compile.
  void finish();
  bool finished() const { return finished_; }
  GLuint id() const { return id_; }
  /// Returns the location of a uniform, or -1 if the shaders do not use it. `name` must outlive the program
  /// (a literal).
  GLint location(const char* name);
  /// Returns the location of the uniform with the layout of sampler i's texture, which is named after the
  /// sampler with `_` appended.
  GLint layout_location(int i) const { return layouts_[static_cast<std::size_t>(i)]; }

 private:
  GLuint id_;
  GLuint shader_;
  std::vector<const char*> samplers_;
  std::vector<GLint> layouts_;
  std::vector<std::pair<const char*, GLint>> locations_;
  bool finished_ = false;
};

/// Outputs of a vertex, a texel each: as many as every GLES 3 context can capture.
constexpr const char* kFeedback[] = {"t0", "t1", "t2",  "t3",  "t4",  "t5",  "t6",  "t7",
                                     "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15"};

/// Starts to compile a shader and returns its id.
GLuint compile(GLenum stage, std::string_view source);

}  // namespace tenure::gl
