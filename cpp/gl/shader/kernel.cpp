#include "gl/shader/kernel.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "core/run/dispatch.h"
#include "core/text.h"
#include "gl/device/context.h"
#include "gl/device/device_memory.h"
#include "gl/device/transfer.h"
#include "gl/shader/layout.h"

namespace tenure::gl {
namespace {

constexpr std::size_t kLargeTexture = std::size_t{1} << 17;
constexpr int kTile = 128;

}  // namespace

bool should_prefer_cpu() { return context().tuning().prefers_cpu && min_elements_for_device() != 0; }

void fall_back_to_cpu(Op op, const KernelArgs& args) {
  if (!context().prelinking()) run_cpu_fallback(op, args);
}

Pass& Pass::input(const char* name, const Tensor& x) {
  assert(input_count_ < kMaxInputs);
  tensors_[input_count_] = &x;
  inputs_[input_count_++] = {name, x.dtype() != DType::kFloat32};
  return *this;
}

Pass& Pass::picture(const char* name, GLuint texture) {
  assert(input_count_ < kMaxInputs);
  tensors_[input_count_] = nullptr;
  textures_[input_count_] = texture;
  inputs_[input_count_++] = {name, false};
  return *this;
}

Pass& Pass::variant(std::string_view macro, std::string_view value) {
  return declare(text("#define ", macro, " ", value));
}

Pass& Pass::declare(std::string_view line) {
  (defines_ += line) += '\n';
  return *this;
}

Pass& Pass::variant(std::string_view macro, int value) { return variant(macro, text(value)); }

Pass& Pass::set(const char* name, Kind kind, std::span<const int> words) {
  assert(uniform_count_ < kMaxUniforms && words.size() <= std::size(uniforms_[0].words));
  Uniform& uniform = uniforms_[uniform_count_++];
  uniform.name = name;
  uniform.kind = kind;
  uniform.count = static_cast<int>(words.size());
  std::copy(words.begin(), words.end(), uniform.words);
  return *this;
}

Pass& Pass::set(const char* name, float value) {
  const int word = std::bit_cast<int>(value);
  return set(name, Kind::kFloat, {&word, 1});
}

Pass& Pass::set(const char* name, std::array<float, 4> values) {
  return set(name, Kind::kFloat4, std::bit_cast<std::array<int, 4>>(values));
}

ShaderProgram& Pass::program_for(const TensorSpec& out, Per per, int vertex_texels,
                                 std::initializer_list<std::string_view> source) {
  const std::span<const ShaderInput> inputs(inputs_, static_cast<std::size_t>(input_count_));
  const bool is_int_out = out.dtype != DType::kFloat32;
  const bool in_float =
      context().tuning().divides_in_float && out.shape.elements() <= ShaderFrame::kMaxFloatDividend;
  (key_ += is_int_out ? ":i" : ":f") += in_float ? "q" : "";
  for (const ShaderInput& input : inputs) key_ += input.is_int ? 'i' : 'f';
  key_ += defines_;
  ProgramCache& programs = context().programs();
  return programs.find_or_start(key_, [&] {
    const bool by_lod = context().tuning().fetches_by_lod;
    std::string joined;
    for (const std::string_view part : source) joined += part;
    const ShaderFrame frame{inputs, is_int_out, defines_, per, vertex_texels, by_lod, in_float};
    std::array<const char*, kMaxInputs> names{};
    for (std::size_t i = 0; i < inputs.size(); ++i) names[i] = inputs[i].name;
    const bool by_vertex = per == Per::kVertex;
    return std::make_unique<ShaderProgram>(
        by_vertex ? programs.empty_fragment_shader() : programs.vertex_shader(),
        by_vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER, build_shader(frame, joined),
        std::span(names).first(inputs.size()), vertex_texels);
  });
}

const Texture& Pass::prepare(ShaderProgram& program, Tensor& out, TexelType type) {
  // Uploads change texture bindings, so they come first.
  find_textures();
  const Texture& target = allocate_output(out, type);
  const Layout layout(out.elements());
  bind(program);
  context().set_target(target.id(), layout.width, layout.rows);
  return target;
}

void Pass::find_textures() {
  for (int i = 0; i < input_count_; ++i) {
    if (tensors_[i]) textures_[i] = get_texture(*tensors_[i]).id();
  }
}

void Pass::bind(ShaderProgram& program) {
  Context& gl = context();
  gl.use(program);
  for (int i = 0; i < input_count_; ++i) {
    gl.bind_texture(i, textures_[i]);
    if (!tensors_[i]) continue;
    const Layout input_layout(tensors_[i]->elements());
    const TextureSize& size = get_texture(*tensors_[i]).size();
    const auto part = [](int extent) { return 1.0F / static_cast<float>(extent); };
    const auto bits = [](float value) { return std::bit_cast<int>(value); };
    // As x_at() reads it, in either variant (shader.cpp).
    const int row =
        gl.tuning().fetches_by_lod ? bits(part(input_layout.width) * part(size.rows)) : input_layout.shift;
    glUniform4i(program.layout_location(i), input_layout.width - 1, row, bits(part(size.width)),
                bits(part(size.rows)));
  }
  for (const Uniform& uniform : std::span(uniforms_, static_cast<std::size_t>(uniform_count_))) {
    const GLint at = program.location(uniform.name);
    const auto* floats = reinterpret_cast<const float*>(uniform.words);
    switch (uniform.kind) {
      case Kind::kInt: glUniform1i(at, uniform.words[0]); break;
      case Kind::kFloat: glUniform1f(at, floats[0]); break;
      case Kind::kInt4: glUniform4iv(at, 1, uniform.words); break;
      case Kind::kFloat4: glUniform4fv(at, 1, floats); break;
      case Kind::kInts: glUniform1iv(at, uniform.count, uniform.words); break;
    }
  }
}

void Pass::draw(Tensor& out, Per per, std::initializer_list<std::string_view> source) {
  Context& gl = context();
  ShaderProgram& program = program_for(out.spec(), per, 0, source);
  if (gl.prelinking()) return;
  const Texture& target = prepare(program, out, texel_type(out.dtype()));
  const Layout layout(out.elements());
  glUniform2i(program.location("out_"), layout.width, static_cast<int>(layout.texels) - 1);
  if (const GLint span = program.location("span_"); span >= 0) {
    const auto share = [](int used, int of) { return static_cast<float>(used) / static_cast<float>(of); };
    glUniform2f(span, share(layout.width, target.size().width), share(layout.rows, target.size().rows));
  }
  // The inputs of a tile stay in a core's cache; a small texture fits into it anyway. Each draw costs a
  // software renderer some 20 us.
  const bool tiled = allows_tiled_draw_ && gl.tuning().draws_squares && layout.texels >= kLargeTexture;
  const int width = tiled ? std::min(kTile, layout.width) : layout.width;
  const int rows = tiled ? std::min(kTile, layout.rows) : layout.rows;
  for (int row = 0; row < layout.rows; row += rows) {
    for (int column = 0; column < layout.width; column += width) {
      gl.set_target(target.id(), width, std::min(rows, layout.rows - row), column, row);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
  }
  gl.check_errors(key_.c_str());
}

void Pass::vertices(Tensor& out, int texels, std::initializer_list<std::string_view> source) {
  assert(out.dtype() == DType::kFloat32 && out.elements() % (static_cast<std::size_t>(texels) * 4) == 0);
  Context& gl = context();
  ShaderProgram& program = program_for(out.spec(), Per::kVertex, texels, source);
  if (gl.prelinking()) return;
  const Texture& target = prepare(program, out, TexelType::kFloat);
  const auto count = static_cast<GLsizei>(out.elements() / 4) / texels;
  gl.feedback_buffer().draw(count, out.bytes());
  upload_from_buffer(out.elements(), target);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  gl.check_errors(key_.c_str());
}

void Pass::canvas(int width, int height, std::string_view source) {
  Context& gl = context();
  ShaderProgram& program = program_for({{height, width}, DType::kFloat32}, Per::kPixel, 0, {source});
  find_textures();
  bind(program);
  glUniform1i(program.location("top_"), height - 1);
  gl.draw_canvas(width, height);
  gl.check_errors(key_.c_str());
}

}  // namespace tenure::gl
