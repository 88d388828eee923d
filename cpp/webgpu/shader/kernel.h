#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/run/op.h"
#include "webgpu/device/context.h"

namespace tenure::webgpu {

/// Runs the CPU's kernel for arguments that this one does not support; does nothing while the context is
/// prelinking.
void fall_back_to_cpu(Op op, const KernelArgs& args);

/// One dispatch of a kernel: its inputs, its parameters, and the WGSL that computes its output. The source is
/// a .wgsl file beside the kernel, minified by the build (shader/wgsl.h).
///
///   #include "webgpu/movement/reverse_flat.wgsl.h"
///
///   void reverse_flat(const KernelArgs& args) {
///     Dispatch("reverse_flat")
///         .input("x", args.in[0])
///         .set("last", static_cast<int>(args.out.elements()) - 1)
///         .elements(args.out, wgsl::kReverseFlat);
///   }
///
///   // reverse_flat.wgsl
///   fn run(i: i32) { out[i] = x[params.last - i]; }
///
/// The frame around the source declares, in this order: T, the element type of the output, f32 or i32 (bools
/// are i32, 0 or 1), and T4, vec4<T>; the constants and lines of constant() and declare(); `params`, a
/// uniform struct of the parameters; an array per input; `out`; and the functions of shader/function_table.h
/// that are called. Elements are row-major. All buffers are padded to multiples of 16 bytes, so that a last
/// vec4 may be read and written past the end.
///
/// There is one pipeline for each name, combination of input types, types of parameters, and lines; never one
/// for each shape: sizes are parameters. Dispatches of one name have one source. A kernel of several
/// dispatches stores intermediates in Tensor::deferred(spec). Kernels are listed in lists/webgpu_kernels.def.
class Dispatch {
 public:
  /// WebGPU guarantees 8 storage buffers, one of which is the output.
  static constexpr int kMaxInputs = 7;

  explicit Dispatch(std::string_view name) : key_(name) {}

  /// Adds an input, an array of elements. `name` must be a literal. The tensor is uploaded when the kernel is
  /// dispatched, and must live until then.
  Dispatch& input(const char* name, const Tensor& x) { return add_input(name, x, false); }
  /// Adds an input as an array of vec4s.
  Dispatch& input4(const char* name, const Tensor& x) { return add_input(name, x, true); }
  /// Makes `out` an array of vec4s.
  Dispatch& output4() {
    is_output4_ = true;
    return *this;
  }
  /// Makes `out` the device's error flag, array<atomic<i32>>, instead of the output, and sets params.error to
  /// the number of the message, which an invocation may store in out[0].
  Dispatch& into_error_flag(const std::string& message);
  /// Adds `const name = value;`. Each value compiles another pipeline, so only a few values are acceptable.
  /// Branches on constants cost nothing, though WGSL checks the types in both.
  Dispatch& constant(std::string_view name, int value);
  Dispatch& constant(std::string_view name, bool value);
  /// Adds a declaration: an alias, a function. Each compiles another pipeline, as constants do. `line` is
  /// minified already, and ends with ; or }.
  Dispatch& declare(std::string_view line);

  /// Sets params.name, an i32. `name` must be a literal.
  Dispatch& set(const char* name, int value);
  /// Sets params.name, an f32.
  Dispatch& set(const char* name, float value);
  /// Sets params.name, a vec4i.
  Dispatch& set(const char* name, const std::array<int, 4>& values);
  /// Sets params.name, a vec4f.
  Dispatch& set(const char* name, const std::array<float, 4>& values);
  /// Sets params.name, of type array<vec4i, (n + 3) / 4>; value k is params.name[k / 4][k % 4].
  Dispatch& set(const char* name, std::span<const int> values);
  /// Sets params.name, of type T, to a value converted as on the CPU: truncated towards 0 and clamped to the
  /// range, NaN as 0.
  Dispatch& set_value(const char* name, DType dtype, double value);

  /// Calls fn run(i: i32) of the source for each i in [0, count), in workgroups of kThreads.
  void threads(Tensor& out, std::size_t count, std::initializer_list<std::string_view> source);
  void threads(Tensor& out, std::size_t count, std::string_view source) { threads(out, count, {source}); }
  /// Calls fn run(i: i32) for each element of `out`; for each vec4 of it after output4().
  void elements(Tensor& out, std::initializer_list<std::string_view> source);
  void elements(Tensor& out, std::string_view source) { elements(out, {source}); }
  /// Calls fn run_lane(i: i32, lane: i32, lanes: i32) of the source for each i in [0, count): in all `lanes`
  /// invocations of a subgroup, with `lane` from 0 on. The device must have subgroups.
  void subgroups(Tensor& out, std::size_t count, std::string_view source);
  /// Dispatches workgroups of the source's own entry point, `@compute @workgroup_size(...) fn main(...)`. No
  /// dimension may have more than kMaxWorkgroups; fold_workgroups() folds one that may.
  void workgroups(Tensor& out, const Workgroups& groups, std::initializer_list<std::string_view> source);
  void workgroups(Tensor& out, const Workgroups& groups, std::string_view source) {
    workgroups(out, groups, {source});
  }

  /// Invocations of a workgroup of threads().
  static constexpr std::size_t kThreads = 64;

 private:
  struct Input {
    const char* name;
    const Tensor* tensor;
    bool is_vec4;
  };

  Dispatch& add_input(const char* name, const Tensor& x, bool is_vec4);
  /// Adds a parameter of WGSL type `type`, whose words are aligned to `alignment` words. Throws
  /// Error(kInternal) if there are more than kMaxParameters words.
  Dispatch& add_parameter(const char* name, std::string_view type, std::span<const std::int32_t> words,
                          std::size_t alignment);
  /// Returns the whole WGSL: the frame, the source, and `main`, its entry point if the source has none.
  std::string build_source(DType out, std::initializer_list<std::string_view> source,
                           std::string_view main) const;
  void run(Tensor& out, const Workgroups& groups, std::initializer_list<std::string_view> source,
           std::string_view main);

  std::string key_;
  std::string lines_;
  std::string fields_;
  int input_count_ = 0;
  std::size_t word_count_ = 0;
  bool is_output4_ = false;
  bool is_into_error_flag_ = false;
  bool has_subgroups_ = false;
  std::array<Input, kMaxInputs> inputs_;
  std::array<std::int32_t, kMaxParameters> words_{};
};

/// Returns workgroups whose number is at least `count`, folded into x and y. The kernel's flat index is
/// flat_workgroup(workgroup_id, num_workgroups), a function of shader/function_table.h; it must return for
/// those past the end.
Workgroups fold_workgroups(std::size_t count);

}  // namespace tenure::webgpu
