#include "model/executor/containers.h"

#include <algorithm>

namespace tenure::executor {

bool FlatValues::append(const EdgeValue& value) {
  if (value.tensor) {
    tensors.push_back(value.tensor);
    counts.push_back(kTensor);
  } else if (value.object && value.object->kind() == Resource::Kind::kSequence) {
    const Tensors& list = static_cast<const Sequence&>(*value.object).tensors;
    tensors.insert(tensors.end(), list.begin(), list.end());
    counts.push_back(static_cast<std::int32_t>(list.size()));
  } else if (value.object && value.object->kind() == Resource::Kind::kAbsent) {
    counts.push_back(kAbsent);
  } else {
    return false;
  }
  return true;
}

EdgeValues FlatValues::unflatten() const {
  EdgeValues values;
  std::size_t next = 0;
  for (const std::int32_t count : counts) {
    check(count >= kAbsent, "input ", values.size(), " has ", count, " tensors");
    const std::size_t taken = count == kTensor ? 1 : static_cast<std::size_t>(std::max(count, 0));
    check(taken <= tensors.size() - next, "there are fewer tensors than the inputs need, ", tensors.size());
    if (count == kTensor) {
      values.emplace_back(tensors[next]);
    } else if (count == kAbsent) {
      values.emplace_back(std::shared_ptr<Resource>(std::make_shared<Absent>()));
    } else {
      const auto first = tensors.begin() + static_cast<std::ptrdiff_t>(next);
      values.emplace_back(std::shared_ptr<Resource>(
          std::make_shared<Sequence>(Tensors(first, first + static_cast<std::ptrdiff_t>(taken)))));
    }
    next += taken;
  }
  check(next == tensors.size(), "there are more tensors than the inputs need, ", tensors.size());
  return values;
}

}  // namespace tenure::executor
