#include <algorithm>

#include "import/graphdef/elements.h"
#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// A TensorFlow TensorList. A list is a value: an op that changes one returns a shallow copy.
class List final : public Object {
 public:
  static constexpr Kind kKind = Kind::kList;

  List(Elements of, std::int32_t most) : Object(kKind), elements(of), most(most) {}

  std::int32_t size() const { return static_cast<std::int32_t>(tensors.size()); }
  /// Returns the maximum number of elements: `most` if it is not negative, but no more than kMostPlaces.
  std::int32_t max_size() const { return most < 0 ? kMostPlaces : std::min(most, kMostPlaces); }
  void resize(std::int32_t size) {
    check(size >= 0 && size <= max_size(),
          "TensorListResize expects a size of 0 or more, and no more than there may be. Got: ", size);
    tensors.resize(static_cast<std::size_t>(size));
  }
  void set(std::int32_t index, const Tensor& tensor) {
    check(index >= 0 && index < max_size(), "Trying to set element ", index, " in a list with max ",
          max_size(), " elements.");
    elements.check_fits(tensor);
    if (index >= size()) resize(index + 1);
    tensors[static_cast<std::size_t>(index)] = tensor;
  }
  /// Returns an element, or zeros if it has not been set.
  Tensor get(std::int32_t index, const std::optional<Shape>& shape) const {
    check(index >= 0 && index < size(), "Trying to access element ", index, " in a list with ", size(),
          " elements.");
    const Tensor& tensor = tensors[static_cast<std::size_t>(index)];
    if (tensor) {
      Elements{tensor.dtype(), shape}.check_fits(tensor);
      return tensor;
    }
    return fill({.shape = missing(shape).whole(), .dtype = elements.dtype});
  }
  /// Returns the dtype and shape of unset elements: `shape` if it is fully defined, otherwise the shape of
  /// the first set element, otherwise the list's.
  Elements missing(const std::optional<Shape>& shape) const {
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

  Elements elements;
  std::int32_t most;  ///< maximum number of elements; -1 for no limit
  Tensors tensors;
};

std::shared_ptr<List> list_of(const Call& call, int input = 0) {
  return call.object<List>(input, "TensorList");
}

/// Returns a shallow copy of the input list, to be changed.
std::shared_ptr<List> copy_of(const Call& call) {
  const auto list = list_of(call);
  auto copy = std::make_shared<List>(list->elements, list->most);
  copy->tensors = list->tensors;
  return copy;
}

Items as_items(std::shared_ptr<List> list) { return {Item(std::shared_ptr<Object>(std::move(list)))}; }

DType dtype_of_elements(const Call& call) { return call.attrs().dtype("element_dtype"); }

Items reserve(const Call& call) {
  auto list = std::make_shared<List>(Elements{dtype_of_elements(call), element_shape(call, 0)}, -1);
  list->resize(call.integer(1));
  return as_items(std::move(list));
}

Items empty(const Call& call) {
  const std::int32_t most = call.integer(1);
  return as_items(std::make_shared<List>(Elements{dtype_of_elements(call), element_shape(call, 0)}, most));
}

Items from_tensor(const Call& call) {
  const Tensor& tensor = call[0];
  check_shape(tensor.rank() > 0, "Tensor must be at least a vector, but saw shape: ", tensor.shape());
  auto list = std::make_shared<List>(Elements{dtype_of_elements(call), element_shape(call, 1)}, -1);
  list->tensors = unstack(tensor, {0});
  for (const Tensor& element : list->tensors) list->elements.check_fits(element);
  return as_items(std::move(list));
}

Items scatter(const Call& call) {
  const std::vector<std::int32_t> indices = call.integers(1);
  const Tensor& tensor = call[0];
  check_shape(tensor.rank() > 0 && indices.size() == static_cast<std::size_t>(tensor.dim(0)),
              "Expected len(indices) == tensor.shape[0], but saw: ", indices.size(), " and ", tensor.shape());
  const std::int32_t count = call.size() > 3 ? call.integer(3) : -1;
  auto list = std::make_shared<List>(Elements{dtype_of_elements(call), element_shape(call, 2)}, count);
  const Tensors parts = unstack(tensor, {0});
  for (std::size_t i = 0; i < parts.size(); ++i) list->set(indices[i], parts[i]);
  if (count > list->size()) list->resize(count);
  return as_items(std::move(list));
}

Items set_item(const Call& call) {
  auto list = copy_of(call);
  list->set(call.integer(1), call[2]);
  return as_items(std::move(list));
}

Tensor get_item(const Call& call) { return list_of(call)->get(call.integer(1), element_shape(call, 2)); }

Tensor gather(const Call& call) {
  const auto list = list_of(call);
  const std::optional<Shape> shape = element_shape(call, 2);
  Tensors tensors;
  for (const std::int32_t index : call.integers(1)) tensors.push_back(list->get(index, shape));
  return stacked(tensors, list->missing(shape));
}

Tensor stack_all(const Call& call) {
  const auto list = list_of(call);
  const std::optional<Shape> shape = element_shape(call, 1);
  const std::int32_t count = call.attrs().integer("num_elements", -1);
  check_shape(count < 0 || count == list->size(), "Operation expected a list with ", count,
              " elements but got a list with ", list->size(), " elements.");
  return stacked(list->all(shape), list->missing(shape));
}

Items concatenate(const Call& call) {
  const auto list = list_of(call);
  const Tensors tensors = list->all({});
  std::vector<std::int32_t> lengths;
  for (const Tensor& tensor : tensors) {
    check_shape(tensor.rank() > 0, "scalars cannot be concatenated");
    lengths.push_back(tensor.dim(0));
  }
  return {chained(tensors, list->missing({})),
          Tensor::from(std::span<const std::int32_t>(lengths), {list->size()})};
}

Items split_tensor(const Call& call) {
  auto list = std::make_shared<List>(Elements{dtype_of_elements(call), {}}, -1);
  list->tensors = cut(call[0], call.integers(2));
  return as_items(std::move(list));
}

Items push_back(const Call& call) {
  auto list = copy_of(call);
  check(list->most < 0 || list->size() < list->most, "Trying to push element into a full list.");
  list->set(list->size(), call[1]);
  return as_items(std::move(list));
}

Items pop_back(const Call& call) {
  auto list = copy_of(call);
  check(list->size() > 0, "Trying to pop from an empty list.");
  Tensor last = list->get(list->size() - 1, element_shape(call, 1));
  list->tensors.pop_back();
  Items items = as_items(std::move(list));
  items.emplace_back(std::move(last));
  return items;
}

Tensor length(const Call& call) { return Tensor::scalar(list_of(call)->size()); }

Items resize(const Call& call) {
  auto list = copy_of(call);
  list->resize(call.integer(1));
  return as_items(std::move(list));
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
