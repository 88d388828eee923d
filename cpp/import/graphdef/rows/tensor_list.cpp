#include <algorithm>

#include "import/graphdef/elements.h"
#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// A TensorFlow TensorList. A list is a value: an op that changes one returns a shallow copy.
class List final : public Resource {
 public:
  static constexpr Kind kKind = Kind::kList;

  List(ElementSpec of, std::int32_t max_elements)
      : Resource(kKind), elements(of), max_elements(max_elements) {}

  std::int32_t size() const { return static_cast<std::int32_t>(tensors.size()); }
  /// Returns the maximum number of elements: `max_elements` if it is not negative, but no more than
  /// kMaxArraySize.
  std::int32_t max_size() const {
    return max_elements < 0 ? kMaxArraySize : std::min(max_elements, kMaxArraySize);
  }
  void resize(std::int32_t size) {
    check(size >= 0 && size <= max_size(),
          "TensorListResize expects a size of 0 or more, and no more than there may be. Got: ", size);
    tensors.resize(static_cast<std::size_t>(size));
  }
  void set(std::int32_t index, const Tensor& tensor) {
    check(index >= 0 && index < max_size(), "Trying to set element ", index, " in a list with max ",
          max_size(), " elements.");
    elements.check_matches(tensor);
    if (index >= size()) resize(index + 1);
    tensors[static_cast<std::size_t>(index)] = tensor;
  }
  /// Returns an element, or zeros if it has not been set.
  Tensor get(std::int32_t index, const std::optional<Shape>& shape) const {
    check(index >= 0 && index < size(), "Trying to access element ", index, " in a list with ", size(),
          " elements.");
    const Tensor& tensor = tensors[static_cast<std::size_t>(index)];
    if (tensor) {
      ElementSpec{tensor.dtype(), shape}.check_matches(tensor);
      return tensor;
    }
    return fill({.shape = get_unset_spec(shape).full_shape(), .dtype = elements.dtype});
  }
  /// Returns the dtype and shape of unset elements: `shape` if it is fully defined, otherwise the shape of
  /// the first set element, otherwise the list's.
  ElementSpec get_unset_spec(const std::optional<Shape>& shape) const {
    if (shape && !shape->contains(-1)) return {elements.dtype, shape};
    const auto set = std::find_if(tensors.begin(), tensors.end(),
                                  [](const Tensor& tensor) { return static_cast<bool>(tensor); });
    if (set != tensors.end()) return {elements.dtype, set->shape()};
    return elements;
  }
  Tensors all(const std::optional<Shape>& shape) const {
    Tensors list;
    for (std::int32_t i = 0; i < size(); ++i) list.push_back(get(i, shape));
    return list;
  }

  ElementSpec elements;
  std::int32_t max_elements;  ///< maximum number of elements; -1 for no limit
  Tensors tensors;
};

std::shared_ptr<List> get_list(const Call& call, int input = 0) {
  return call.object<List>(input, "TensorList");
}

/// Returns a shallow copy of the input list, to be changed.
std::shared_ptr<List> copy_list(const Call& call) {
  const auto list = get_list(call);
  auto copy = std::make_shared<List>(list->elements, list->max_elements);
  copy->tensors = list->tensors;
  return copy;
}

EdgeValues to_edge_values(std::shared_ptr<List> list) {
  return {EdgeValue(std::shared_ptr<Resource>(std::move(list)))};
}

DType read_element_dtype(const Call& call) { return call.attrs().dtype("element_dtype"); }

EdgeValues reserve(const Call& call) {
  auto list = std::make_shared<List>(ElementSpec{read_element_dtype(call), element_shape(call, 0)}, -1);
  list->resize(call.integer(1));
  return to_edge_values(std::move(list));
}

EdgeValues empty(const Call& call) {
  const std::int32_t max_elements = call.integer(1);
  return to_edge_values(
      std::make_shared<List>(ElementSpec{read_element_dtype(call), element_shape(call, 0)}, max_elements));
}

EdgeValues from_tensor(const Call& call) {
  const Tensor& tensor = call[0];
  check_shape(tensor.rank() > 0, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  auto list = std::make_shared<List>(ElementSpec{read_element_dtype(call), element_shape(call, 1)}, -1);
  list->tensors = unstack(tensor, {0});
  for (const Tensor& element : list->tensors) list->elements.check_matches(element);
  return to_edge_values(std::move(list));
}

EdgeValues scatter(const Call& call) {
  const std::vector<std::int32_t> indices = call.integers(1);
  const Tensor& tensor = call[0];
  check_shape(tensor.rank() > 0 && indices.size() == static_cast<std::size_t>(tensor.dim(0)),
              "Expected len(indices) == tensor.shape[0], but saw: ", indices.size(), " and ", tensor.shape());
  const std::int32_t count = call.size() > 3 ? call.integer(3) : -1;
  auto list = std::make_shared<List>(ElementSpec{read_element_dtype(call), element_shape(call, 2)}, count);
  const Tensors parts = unstack(tensor, {0});
  for (std::size_t i = 0; i < parts.size(); ++i) list->set(indices[i], parts[i]);
  if (count > list->size()) list->resize(count);
  return to_edge_values(std::move(list));
}

EdgeValues set_item(const Call& call) {
  auto list = copy_list(call);
  list->set(call.integer(1), call[2]);
  return to_edge_values(std::move(list));
}

Tensor get_item(const Call& call) { return get_list(call)->get(call.integer(1), element_shape(call, 2)); }

Tensor gather(const Call& call) {
  const auto list = get_list(call);
  const std::optional<Shape> shape = element_shape(call, 2);
  Tensors tensors;
  for (const std::int32_t index : call.integers(1)) tensors.push_back(list->get(index, shape));
  return stack_elements(tensors, list->get_unset_spec(shape));
}

Tensor stack_all(const Call& call) {
  const auto list = get_list(call);
  const std::optional<Shape> shape = element_shape(call, 1);
  const std::int32_t count = call.attrs().integer("num_elements", -1);
  check_shape(count < 0 || count == list->size(), "Operation expected a list with ", count,
              " elements but got a list with ", list->size(), " elements.");
  return stack_elements(list->all(shape), list->get_unset_spec(shape));
}

EdgeValues concatenate(const Call& call) {
  const auto list = get_list(call);
  const Tensors tensors = list->all({});
  std::vector<std::int32_t> lengths;
  for (const Tensor& tensor : tensors) {
    check_shape(tensor.rank() > 0, "scalars cannot be concatenated");
    lengths.push_back(tensor.dim(0));
  }
  return {concat_elements(tensors, list->get_unset_spec({})),
          Tensor::from(std::span<const std::int32_t>(lengths), {list->size()})};
}

EdgeValues split_tensor(const Call& call) {
  auto list = std::make_shared<List>(ElementSpec{read_element_dtype(call), {}}, -1);
  list->tensors = split_elements(call[0], call.integers(2));
  return to_edge_values(std::move(list));
}

EdgeValues push_back(const Call& call) {
  auto list = copy_list(call);
  check(list->max_elements < 0 || list->size() < list->max_elements,
        "Trying to push element into a full list.");
  list->set(list->size(), call[1]);
  return to_edge_values(std::move(list));
}

EdgeValues pop_back(const Call& call) {
  auto list = copy_list(call);
  check(list->size() > 0, "Trying to pop from an empty list.");
  Tensor last = list->get(list->size() - 1, element_shape(call, 1));
  list->tensors.pop_back();
  EdgeValues items = to_edge_values(std::move(list));
  items.emplace_back(std::move(last));
  return items;
}

Tensor length(const Call& call) { return Tensor::scalar(get_list(call)->size()); }

EdgeValues resize(const Call& call) {
  auto list = copy_list(call);
  list->resize(call.integer(1));
  return to_edge_values(std::move(list));
}

constexpr Row kRows[] = {
    {"TensorListReserve", reserve},
    {"EmptyTensorList", empty},
    {"TensorListFromTensor", from_tensor},
    {"TensorListScatter", scatter},
    {"TensorListScatterV2", scatter},
    {"TensorListSetItem", set_item},
    {"TensorListGetItem", get_item},
    {"TensorListGather", gather},
    {"TensorListStack", stack_all},
    {"TensorListConcat", concatenate, "tensor,lengths"},
    {"TensorListConcatV2", concatenate, "tensor,lengths"},
    {"TensorListSplit", split_tensor},
    {"TensorListPushBack", push_back},
    {"TensorListPopBack", pop_back, "output_handle,tensor"},
    {"TensorListLength", length},
    {"TensorListResize", resize},
};

}  // namespace

std::span<const Row> tensor_list_rows() { return kRows; }

}  // namespace tenure::graphdef
