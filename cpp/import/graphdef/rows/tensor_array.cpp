#include <algorithm>

#include "import/graphdef/elements.h"
#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// A TensorFlow TensorArray: each element is written once. The order of writes and reads follows from the
/// "flow" tensor that each op takes and returns.
class TensorArray final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kArray;

  TensorArray(ElementSpec elements, std::int32_t size, bool grows, bool is_read_once)
      : Resource(kKind), elements_(elements), grows_(grows), is_read_once_(is_read_once) {
    check(size >= 0 && size <= kMaxArraySize, "TensorArray cannot have ", size, " places");
    tensors_.resize(static_cast<std::size_t>(size));
    was_read_.resize(tensors_.size());
  }

  std::int32_t size() const { return static_cast<std::int32_t>(tensors_.size()); }
  const ElementSpec& elements() const { return elements_; }

  void write(std::int32_t index, const Tensor& tensor) {
    check(!is_closed_, "TensorArray has already been closed.");
    check(index >= 0 && (index < size() || (grows_ && index < kMaxArraySize)), "Tried to write to index ",
          index, ", but array is not resizeable and size is: ", size());
    if (index >= size()) {
      tensors_.resize(static_cast<std::size_t>(index) + 1);
      was_read_.resize(tensors_.size());
    }
    check(!was_read_[static_cast<std::size_t>(index)], "Could not write to TensorArray index ", index,
          ", because it has already been read.");
    check(!tensors_[static_cast<std::size_t>(index)], "Could not write to TensorArray index ", index,
          ", because it has already been written.");
    elements_.check_matches(tensor);
    if (!elements_.shape) elements_.shape = tensor.shape();
    tensors_[static_cast<std::size_t>(index)] = tensor;
  }

  Tensor read(std::int32_t index) {
    check(!is_closed_, "TensorArray has already been closed.");
    check(index >= 0 && index < size(), "Tried to read from index ", index, ", but array size is: ", size());
    Tensor& held = tensors_[static_cast<std::size_t>(index)];
    check(held || !was_read_[static_cast<std::size_t>(index)], "Could not read index ", index,
          " twice because it was cleared after a previous read (perhaps try setting clear_after_read = "
          "false?).");
    // As in TensorFlow, an element that was not written is zeros.
    if (!held) held = fill({.shape = elements_.full_shape(), .dtype = elements_.dtype});
    was_read_[static_cast<std::size_t>(index)] = true;
    Tensor tensor = held;
    if (is_read_once_) held = Tensor();
    return tensor;
  }

  void close() {
    tensors_.clear();
    is_closed_ = true;
  }

 private:
  ElementSpec elements_;
  Tensors tensors_;
  std::vector<bool> was_read_;
  bool grows_;
  bool is_read_once_;
  bool is_closed_ = false;
};

std::shared_ptr<TensorArray> get_array(const Call& call) {
  return call.object<TensorArray>(0, "TensorArray");
}

Tensor flow() { return Tensor::scalar(0.0F); }

EdgeValues make(const Call& call) {
  const Attributes& attrs = call.attrs();
  std::optional<Shape> shape = attrs.shape("element_shape");
  // As in TensorFlow.js, an empty shape accepts any shape.
  if (shape && shape->empty()) shape.reset();
  std::shared_ptr<Resource> array =
      std::make_shared<TensorArray>(ElementSpec{attrs.dtype("dtype"), shape}, call.integer(0),
                                    attrs.flag("dynamic_size"), attrs.flag("clear_after_read", true));
  return {std::move(array), flow()};
}

Tensor write(const Call& call) {
  get_array(call)->write(call.integer(1), call[2]);
  return flow();
}

Tensor read(const Call& call) { return get_array(call)->read(call.integer(1)); }

Tensor gather(const Call& call) {
  const auto array = get_array(call);
  Tensors tensors;
  for (const std::int32_t index : call.integers(1)) tensors.push_back(array->read(index));
  return stack_elements(tensors, array->elements());
}

Tensor scatter(const Call& call) {
  const auto array = get_array(call);
  const std::vector<std::int32_t> indices = call.integers(1);
  const Tensor& tensor = call[2];
  check_shape(tensor.rank() > 0 && indices.size() == static_cast<std::size_t>(tensor.dim(0)),
              "Expected len(indices) == tensor.shape[0], but saw: ", indices.size(), " and ", tensor.shape());
  const Tensors parts = unstack(tensor, {0});
  for (std::size_t i = 0; i < parts.size(); ++i) array->write(indices[i], parts[i]);
  return flow();
}

EdgeValues concatenate(const Call& call) {
  const auto array = get_array(call);
  Tensors tensors;
  std::vector<std::int32_t> lengths;
  for (std::int32_t i = 0; i < array->size(); ++i) {
    tensors.push_back(array->read(i));
    check_shape(tensors.back().rank() > 0, "scalars cannot be concatenated");
    lengths.push_back(tensors.back().dim(0));
  }
  return {concat_elements(tensors, array->elements()),
          Tensor::from(std::span<const std::int32_t>(lengths), {array->size()})};
}

Tensor split(const Call& call) {
  const auto array = get_array(call);
  const Tensors parts = split_elements(call[1], call.integers(2));
  for (std::size_t i = 0; i < parts.size(); ++i) array->write(static_cast<std::int32_t>(i), parts[i]);
  return flow();
}

Tensor size(const Call& call) { return Tensor::scalar(get_array(call)->size()); }

Tensor close(const Call& call) {
  get_array(call)->close();
  return flow();
}

constexpr Row kRows[] = {
    {"TensorArrayV3", make, "handle,flow"},
    {"TensorArrayWriteV3", write},
    {"TensorArrayReadV3", read},
    {"TensorArrayGatherV3", gather},
    {"TensorArrayScatterV3", scatter},
    {"TensorArrayConcatV3", concatenate, "value,lengths"},
    {"TensorArraySplitV3", split},
    {"TensorArraySizeV3", size},
    {"TensorArrayCloseV3", close},
};

}  // namespace

std::span<const Row> tensor_array_rows() { return kRows; }

}  // namespace tenure::graphdef
