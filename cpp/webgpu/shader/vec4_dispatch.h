#pragma once

#include <string_view>

#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// A dispatch whose source handles vectors and elements alike. If `whole`, four neighbours of the last
/// dimension are one unit, of type U, in the output and in the inputs added by units(); sizes are then set in
/// units. The source defines `fn at(i: i32) -> U`, unit i of the output.
class Vec4Dispatch : public Dispatch {
 public:
  Vec4Dispatch(std::string_view name, bool whole) : Dispatch(name), whole_(whole) {
    constant("WHOLE", whole);
    declare(whole ? "alias U=T4;" : "alias U=T;");
    if (whole) output4();
  }

  bool whole() const { return whole_; }
  /// Adds an input as an array of units.
  Vec4Dispatch& units(const char* name, const Tensor& x) {
    whole_ ? input4(name, x) : input(name, x);
    return *this;
  }
  /// Returns `count` elements as a number of units.
  int count(std::size_t count) const { return static_cast<int>(count) / (whole_ ? 4 : 1); }
  int count(std::int32_t count) const { return count / (whole_ ? 4 : 1); }
  void run(Tensor& out, std::initializer_list<std::string_view> source) {
    declare("fn run(i:i32){out[i]=at(i);}");
    elements(out, source);
  }
  void run(Tensor& out, std::string_view source) { run(out, {source}); }

 private:
  bool whole_;
};

}  // namespace tenure::webgpu
