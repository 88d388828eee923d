#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// A vertex and a fragment shader, linked. Linking only starts when it is made, so that a driver can do many
/// side by side; finish() waits for it.
class Program {
 public:
  /// `shader` is of the stage that computes, `other` the shared one of the other stage. Sampler i of the list
  /// reads from texture unit i. Vertices write the first `texels` of kFeedback.
  Program(GLuint other, GLenum stage, const std::string& shader, std::span<const char* const> samplers,
          int texels);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Waits for the driver; false when it refused the source.
  bool links() const;
  /// Throws Error(kInternal) with the driver's words and the source when it did not compile.
  void finish();
  bool finished() const { return finished_; }
  GLuint id() const { return id_; }
  /// Of a uniform, by a name that outlives the program (a literal); -1 when the shaders do not use it.
  GLint location(const char* name);
  /// Of the uniform that tells how sampler i's texture is laid out: its name, and an underscore.
  GLint layout_location(int i) const { return layouts_[static_cast<std::size_t>(i)]; }

 private:
  GLuint id_;
  GLuint shader_;
  std::vector<const char*> samplers_;
  std::vector<GLint> layouts_;
  std::vector<std::pair<const char*, GLint>> locations_;
  bool finished_ = false;
};

/// The outputs of a vertex that computes, a texel each: as many as every GLES 3 context can catch.
constexpr const char* kFeedback[] = {"t0", "t1", "t2",  "t3",  "t4",  "t5",  "t6",  "t7",
                                     "t8", "t9", "t10", "t11", "t12", "t13", "t14", "t15"};

/// Starts to compile a shader.
GLuint compile(GLenum stage, std::string_view source);

}  // namespace tenure::gl
