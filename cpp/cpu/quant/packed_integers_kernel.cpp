#include "cpu/quant/packed_integers_kernel.h"

#include <utility>

namespace tenure::cpu {
namespace {

class PackedIntegersKernel final : public PreparedKernel {
 public:
  PackedIntegersKernel(IntegerKernel kernel, PreparedPanels b) : kernel_(kernel), b_(std::move(b)) {}
  void run(const KernelArgs& args) const override { kernel_(args, &b_.panels); }
  std::size_t bytes() const override { return 0; }
  const Storage* storage() const override { return b_.values.get(); }
  bool reads(std::size_t input) const override { return input != 1; }

 private:
  IntegerKernel kernel_;
  PreparedPanels b_;
};

}  // namespace

std::unique_ptr<PreparedKernel> prepare_integers(IntegerKernel kernel, const Tensor& b, int columns, int runs,
                                                 ByteKernel multiply_bytes) {
  if (!b.has_data() || b.elements() == 0) return nullptr;
  PreparedPanels panels = PackedIntegers::prepare(b, columns, runs, multiply_bytes);
  if (!panels.values) return nullptr;
  return std::make_unique<PackedIntegersKernel>(kernel, std::move(panels));
}

}  // namespace tenure::cpu
