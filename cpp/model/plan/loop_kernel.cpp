#include "model/plan/loop_kernel.h"

#include <algorithm>

namespace tenure {
namespace {

/// Returns a view of the rows of `sequence` that step number `step` reads. The sequence is on the CPU.
Tensor slice_step_rows(const Tensor& sequence, const TensorSpec& spec, std::size_t step) {
  const std::size_t bytes = checked_bytes(spec);
  auto* at = static_cast<std::byte*>(sequence.storage()->data()) + step * bytes;
  return Tensor(Storage::view(at, bytes, sequence.storage()), spec);
}

/// Returns a copy, on the device, of those rows.
Tensor copy_step_rows(const Tensor& sequence, const TensorSpec& spec, std::size_t step,
                      const Backend& backend) {
  SliceAttrs attrs{.begin = {}, .size = spec.shape};
  while (attrs.begin.rank < spec.shape.rank) attrs.begin.push_back(0);
  attrs.begin[0] = static_cast<std::int32_t>(step) * spec.shape[0];
  Tensor rows = Tensor::deferred(spec);
  backend.kernel(Op::slice)({{&sequence}, AttrsView(attrs), rows});
  return rows;
}

/// Returns the elements of a tensor on a device as a vector.
Tensor flatten(const Tensor& x) {
  return Tensor(x.storage(), {{static_cast<std::int32_t>(x.elements())}, x.dtype()});
}

}  // namespace

LoopKernel::LoopKernel(std::shared_ptr<const RecurrentLoop> loop, const Backend& backend)
    : loop_(std::move(loop)), plan_(loop_->body, backend) {}

void LoopKernel::run(const KernelArgs& args) const {
  plan_.backend().is_device() ? run_on_device(args) : run_on_cpu(args);
}

void LoopKernel::run_on_device(const KernelArgs& args) const {
  const std::size_t sequences = loop_->sequences;
  const auto specs = plan_.input_specs();
  Tensors inputs;
  for (int i = 0; i < args.in.size(); ++i) inputs.push_back(args.in[i]);
  Tensors parts;
  for (std::int32_t i = 0; i < loop_->steps; ++i) {
    const std::int32_t step = loop_->backwards ? loop_->steps - 1 - i : i;
    for (std::size_t s = 0; s < sequences; ++s) {
      inputs[s] = copy_step_rows(args.in[static_cast<int>(s)], specs[s], static_cast<std::size_t>(step),
                                 plan_.backend());
    }
    Tensors results = plan_.run(inputs);
    if (loop_->all || i + 1 == loop_->steps) parts.push_back(flatten(results[0]));
    std::move(results.begin() + 1, results.end(), inputs.begin() + static_cast<std::ptrdiff_t>(sequences));
  }
  for (std::size_t i = sequences; i < inputs.size(); ++i) parts.push_back(flatten(inputs[i]));
  plan_.backend().kernel(Op::concat)({TensorList(parts), AttrsView(AxisAttrs{}), args.out});
}

void LoopKernel::run_on_cpu(const KernelArgs& args) const {
  const auto steps = static_cast<std::size_t>(loop_->steps);
  const std::size_t sequences = loop_->sequences;
  const auto specs = plan_.input_specs();
  Tensors inputs;
  for (int i = 0; i < args.in.size(); ++i) inputs.push_back(args.in[i]);
  auto* out = args.out.mutable_data<float>();
  const auto put = [](const Tensor& from, float* to) {
    return std::copy_n(from.data<float>(), from.elements(), to);
  };
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t step = loop_->backwards ? steps - 1 - i : i;
    for (std::size_t s = 0; s < sequences; ++s)
      inputs[s] = slice_step_rows(args.in[static_cast<int>(s)], specs[s], step);
    Tensors results = plan_.run(inputs);
    if (loop_->all || i + 1 == steps) put(results[0], out + (loop_->all ? i * results[0].elements() : 0));
    std::move(results.begin() + 1, results.end(), inputs.begin() + static_cast<std::ptrdiff_t>(sequences));
    if (i + 1 == steps) out += (loop_->all ? steps : 1) * results[0].elements();
  }
  for (std::size_t i = sequences; i < inputs.size(); ++i) out = put(inputs[i], out);
}

}  // namespace tenure
