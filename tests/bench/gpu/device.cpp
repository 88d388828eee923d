#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <utility>

#include "gl/device/context.h"
#include "report.h"
#include "sections.h"
#include "webgpu/device/context.h"

namespace tenure::bench {
namespace {

const char* text_or_empty(const char* text) { return text ? text : ""; }

/// Reports EGL's extensions and devices, for a machine on which no device was found.
void report_egl() {
  Row("egl").set("client_extensions", text_or_empty(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS)));
  const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto describe =
      reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
  EGLDeviceEXT devices[16];
  EGLint count = 0;
  if (!query || !describe || !query(16, devices, &count)) return;
  for (EGLint i = 0; i < count; ++i) {
    Row("egl_device").set("extensions", text_or_empty(describe(devices[i], EGL_EXTENSIONS)));
  }
}

void report_limits() {
  constexpr std::pair<GLenum, const char*> kLimits[] = {
      {GL_MAX_TEXTURE_SIZE, "max_texture_size"},
      {GL_MAX_TEXTURE_IMAGE_UNITS, "max_texture_image_units"},
      {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, "max_vertex_texture_image_units"},
      {GL_MAX_DRAW_BUFFERS, "max_draw_buffers"},
      {GL_MAX_FRAGMENT_UNIFORM_VECTORS, "max_fragment_uniform_vectors"},
      {GL_MAX_VERTEX_UNIFORM_VECTORS, "max_vertex_uniform_vectors"},
      {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, "max_transform_feedback_interleaved_components"},
      {GL_MAX_RENDERBUFFER_SIZE, "max_renderbuffer_size"},
  };
  Row row("limits");
  for (const auto& [name, word] : kLimits) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    row.set(word, value);
  }
}

void report_rates(const char* kind, const gl::DeviceRates& rates) {
  Row(kind)
      .set("texel_fetches", rates.texel_fetches)
      .set("lod_fetches", rates.lod_fetches)
      .set("fragment_products", rates.fragment_products)
      .set("vertex_products", rates.vertex_products)
      .set("exact_division", rates.exact_division)
      .set("milliseconds", rates.milliseconds);
}

}  // namespace

void report_device() {
  gl::Context* context = gl::Context::current();
  if (!context) return report_egl();
  const auto text_of = [](GLenum name) {
    return text_or_empty(reinterpret_cast<const char*>(glGetString(name)));
  };
  Row("device")
      .set("renderer", context->capabilities().renderer)
      .set("vendor", text_of(GL_VENDOR))
      .set("version", text_of(GL_VERSION))
      .set("float_texels", context->float_type() == gl::TexelType::kFloat ? "float32" : "float16")
      .set("named_software", gl::is_software_renderer(context->capabilities().renderer))
      .set("cpu_threads", all_threads());
  report_limits();
  report_rates("probe", context->rates());
  const gl::Tuning& tuning = context->tuning();
  Row("tuning")
      .set("fetches_by_lod", tuning.fetches_by_lod)
      .set("vertex_tiles", tuning.vertex_tiles)
      .set("divides_in_float", tuning.divides_in_float)
      .set("prefers_cpu", tuning.prefers_cpu)
      .set("draws_squares", tuning.draws_squares)
      .set("busy_vertices", tuning.busy_vertices);
  report_rates("complete_probe", gl::measure_rates(*context, true));
  report_egl();
}

void report_webgpu_device() {
  if (!webgpu::Context::current()) return;
  const webgpu::platform::Limits& limits = webgpu::context().limits();
  Row("device")
      .set("renderer", limits.adapter)
      .set("version", "WebGPU through Dawn")
      .set("named_software", limits.is_software)
      .set("cpu_threads", all_threads());
  Row("limits")
      .set("max_buffer_bytes", limits.max_buffer_bytes)
      .set("max_storage_buffers", limits.max_storage_buffers)
      .set("max_workgroup_bytes", limits.max_workgroup_bytes)
      .set("max_invocations", limits.max_invocations)
      .set("has_subgroups", limits.has_subgroups)
      .set("has_f16", limits.has_f16)
      .set("has_packed_dot", limits.has_packed_dot);
}

}  // namespace tenure::bench
