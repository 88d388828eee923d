#include "webgpu/shader/kernel.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "core/text.h"
#include "webgpu/device/device_memory.h"
#include "webgpu/shader/functions.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

constexpr std::string_view kThreadsMain = R"(
  @compute @workgroup_size(64)
  fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {
    let i = i32(id.x + id.y * n.x * 64u);
    if (i < params.count_) { run(i); }
  }
)"_wgsl;

/// Elements of a workgroup of subgroups().
constexpr std::size_t kSubgroupElements = 4;
/// Subgroups are taken to have consecutive invocations, as they have in workgroups of one dimension. WGSL's
/// analysis of uniformity knows no values that are uniform in a subgroup alone.
constexpr std::string_view kSubgroupDirectives = "enable subgroups;diagnostic(off,subgroup_uniformity);";
constexpr std::string_view kSubgroupsMain = R"(
  @compute @workgroup_size(64)
  fn main(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) n: vec3u,
          @builtin(local_invocation_index) local: u32, @builtin(subgroup_size) size: u32,
          @builtin(subgroup_invocation_id) lane: u32) {
    let lanes = min(size, 64u);
    let first = flat_workgroup(id, n) * 4u;
    for (var i = local / lanes; i < 4u; i += 64u / lanes) {
      if (i32(first + i) < params.count_) { run_lane(i32(first + i), i32(lane), i32(lanes)); }
    }
  }
)"_wgsl;

std::string_view scalar_type(DType dtype) { return dtype == DType::kFloat32 ? "f32" : "i32"; }

}  // namespace

void fall_back_to_cpu(Op op, const KernelArgs& args) {
  if (!context().prelinking()) run_cpu_fallback(op, args);
}

Workgroups fold_workgroups(std::size_t count) {
  if (count <= kMaxWorkgroups) return {count, 1, 1};
  const std::size_t rows = (count + kMaxWorkgroups - 1) / kMaxWorkgroups;
  return {(count + rows - 1) / rows, rows, 1};
}

Dispatch& Dispatch::add_input(const char* name, const Tensor& x, bool is_vec4) {
  assert(input_count_ < kMaxInputs);
  inputs_[static_cast<std::size_t>(input_count_++)] = {name, &x, is_vec4};
  return *this;
}

Dispatch& Dispatch::into_error_flag(const std::string& message) {
  is_into_error_flag_ = true;
  return set("error", context().prelinking() ? 0 : context().errors().add_message(message));
}

Dispatch& Dispatch::constant(std::string_view name, int value) {
  return declare(text("const ", name, "=", value, ";"));
}

Dispatch& Dispatch::constant(std::string_view name, bool value) {
  return declare(text("const ", name, "=", value, ";"));
}

Dispatch& Dispatch::declare(std::string_view line) {
  lines_ += line;
  return *this;
}

Dispatch& Dispatch::add_parameter(const char* name, std::string_view type,
                                  std::span<const std::int32_t> words, std::size_t alignment) {
  word_count_ = (word_count_ + alignment - 1) / alignment * alignment;
  if (word_count_ + words.size() > words_.size())
    fail_with(ErrorCode::kInternal, text("a WebGPU kernel has too many parameters: ", name));
  fields_ += text(name, ":", type, ",");
  std::copy(words.begin(), words.end(), words_.begin() + static_cast<std::ptrdiff_t>(word_count_));
  word_count_ += words.size();
  return *this;
}

Dispatch& Dispatch::set(const char* name, int value) { return add_parameter(name, "i32", {&value, 1}, 1); }

Dispatch& Dispatch::set(const char* name, float value) {
  const auto word = std::bit_cast<std::int32_t>(value);
  return add_parameter(name, "f32", {&word, 1}, 1);
}

Dispatch& Dispatch::set(const char* name, const std::array<int, 4>& values) {
  return add_parameter(name, "vec4i", values, 4);
}

Dispatch& Dispatch::set(const char* name, const std::array<float, 4>& values) {
  return add_parameter(name, "vec4f", std::bit_cast<std::array<std::int32_t, 4>>(values), 4);
}

Dispatch& Dispatch::set(const char* name, std::span<const int> values) {
  const std::size_t vectors = (values.size() + 3) / 4;
  std::array<std::int32_t, std::size_t{4} * kMaxRank> padded{};
  assert(values.size() <= padded.size());
  std::copy(values.begin(), values.end(), padded.begin());
  return add_parameter(name, text("array<vec4i,", vectors, ">"), std::span(padded).first(vectors * 4), 4);
}

Dispatch& Dispatch::set_value(const char* name, DType dtype, double value) {
  if (dtype == DType::kFloat32) return set(name, static_cast<float>(value));
  return set(name, dtype == DType::kBool ? static_cast<int>(value != 0) : to_int32(value));
}

void Dispatch::threads(Tensor& out, std::size_t count, std::initializer_list<std::string_view> source) {
  set("count_", static_cast<int>(count));
  run(out, fold_workgroups((count + kThreads - 1) / kThreads), source, kThreadsMain);
}

void Dispatch::elements(Tensor& out, std::initializer_list<std::string_view> source) {
  threads(out, is_output4_ ? (out.elements() + 3) / 4 : out.elements(), source);
}

void Dispatch::subgroups(Tensor& out, std::size_t count, std::string_view source) {
  has_subgroups_ = true;
  set("count_", static_cast<int>(count));
  run(out, fold_workgroups((count + kSubgroupElements - 1) / kSubgroupElements), {source}, kSubgroupsMain);
}

void Dispatch::workgroups(Tensor& out, const Workgroups& groups,
                          std::initializer_list<std::string_view> source) {
  run(out, groups, source, "");
}

std::string Dispatch::build_source(DType out, std::initializer_list<std::string_view> source,
                                   std::string_view main) const {
  std::string body = lines_;
  for (const std::string_view part : source) body += part;
  body += main;
  std::string result =
      text(has_subgroups_ ? kSubgroupDirectives : "", "alias T=", scalar_type(out), ";alias T4=vec4<T>;");
  if (word_count_ > 0) {
    result += text("struct Params{", fields_, "}\n@group(0)@binding(0)var<uniform>params:Params;");
  }
  const auto declare_buffer = [&](int binding, std::string_view access, std::string_view name, DType dtype,
                                  std::string_view generic) {
    const std::string type =
        generic.empty() ? text(scalar_type(dtype)) : text(generic, "<", scalar_type(dtype), ">");
    result += text("@group(0)@binding(", binding, ")var<storage,", access, ">", name, ":array<", type, ">;");
  };
  int binding = 1;
  for (const Input& input : std::span(inputs_).first(static_cast<std::size_t>(input_count_))) {
    declare_buffer(binding++, "read", input.name, input.tensor->dtype(), input.is_vec4 ? "vec4" : "");
  }
  declare_buffer(binding, "read_write", "out", out,
                 is_output4_           ? "vec4"
                 : is_into_error_flag_ ? "atomic"
                                       : "");
  result += functions_for(body);
  return result += body;
}

void Dispatch::run(Tensor& out, const Workgroups& groups, std::initializer_list<std::string_view> source,
                   std::string_view main) {
  Context& gpu = context();
  const auto inputs = std::span(inputs_).first(static_cast<std::size_t>(input_count_));
  key_ += out.dtype() == DType::kFloat32 ? ":f" : ":i";
  if (is_output4_) key_ += '4';
  if (is_into_error_flag_) key_ += 'e';
  if (has_subgroups_) key_ += 's';
  for (const Input& input : inputs) {
    key_ += input.tensor->dtype() == DType::kFloat32 ? 'f' : 'i';
    if (input.is_vec4) key_ += '4';
  }
  (key_ += fields_) += lines_;
  const platform::ObjectHandle pipeline = gpu.find_or_create_pipeline(
      key_, input_count_, [&] { return build_source(out.dtype(), source, main); });
  if (gpu.prelinking()) return;
  std::array<platform::ObjectHandle, kMaxInputs + 1> storages;
  std::size_t count = 0;
  for (const Input& input : inputs) storages[count++] = get_buffer(*input.tensor).id();
  storages[count++] = is_into_error_flag_ ? gpu.errors().buffer() : allocate_output(out).id();
  gpu.dispatch(pipeline, std::span(words_).first(word_count_), std::span(storages).first(count), groups);
}

}  // namespace tenure::webgpu
