#include "core/memory/scaled_weight.h"

#include "core/memory/memory_tracked.h"
#include "core/run/backend.h"

namespace tenure {

const char ScaledWeight::kForm = 0;

Tensor ScaledWeight::make(Tensor weight, Tensor scale) {
  const TensorSpec spec = weight.spec();
  std::unique_ptr<ScaledWeight> scaled(new ScaledWeight(std::move(weight), std::move(scale)));
  return Tensor(Storage::packed(spec.shape.elements() * sizeof(float), std::move(scaled)), spec);
}

void ScaledWeight::unpack(void* to) const {
  // The weight may be packed itself, and must stay so.
  const ScopedMaterialization materialized;
  Tensor out(Storage::view(to, weight_.bytes(), weight_.storage()), weight_.spec());
  const KernelFn multiply = cpu_backend().kernel(Op::mul);
  multiply({Inputs({&weight_, &scale_}), {}, out});
}

void ScaledWeight::add_to(MemoryReport& report, MemoryPart part) const {
  report.add(part, weight_.storage().get());
  report.add(part, scale_.storage().get());
}

}  // namespace tenure
