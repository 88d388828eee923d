// The raw calls of tensors and ops, and the functions that all raw calls share.

#include <algorithm>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "core/run/fault_injection.h"
#include "core/strings.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {

alignas(16) std::int32_t scratch[kScratchWords + 1];

void capture_exception() {
  constexpr const char* kNoMemory = "out of memory";
  try {
    throw;
  } catch (const Error& error) {
    set_last_error(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    set_last_error(ErrorCode::kOutOfMemory, kNoMemory);
  } catch (const std::length_error&) {
    // Thrown for a vector larger than any memory.
    set_last_error(ErrorCode::kOutOfMemory, kNoMemory);
  } catch (const std::exception& error) {
    set_last_error(ErrorCode::kInternal, error.what());
  }
}

LastError& last_error() {
  static LastError error;
  return error;
}

void set_last_error(ErrorCode code, const char* message) noexcept {
  last_error().code = code;
  try {
    last_error().message = message;
  } catch (const std::bad_alloc&) {
    last_error().message.clear();
  }
}

void check_room(int count, int at) {
  check(count >= 0 && at >= 0 && count <= (kScratchWords - at) / kIdWords, "too many tensors: ", count);
}

namespace {

template <class F>
Tensors read_tensors(int count, int at, F read_tensor) {
  check_room(count, at);
  Tensors tensors;
  tensors.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) tensors.push_back(read_tensor(read_id(scratch + at + kIdWords * i)));
  return tensors;
}

}  // namespace

Tensors tensors_in_scratch(int count, int at) {
  return read_tensors(count, at, [](Handle id) { return ownership().get(id); });
}

Tensors optional_tensors_in_scratch(int count, int at) {
  return read_tensors(count, at, [](Handle id) { return id == 0 ? Tensor() : ownership().get(id); });
}

AttrsView attrs_in_scratch(int at, int words) {
  check(at >= 0 && words >= 0 && words <= kScratchWords - at, "too many words of attributes: ", words);
  return AttrsView({scratch + at, static_cast<std::size_t>(words)});
}

std::int32_t* write_id(std::int32_t* at, Id id) {
  *at++ = static_cast<std::int32_t>(id);
  *at++ = static_cast<std::int32_t>(id >> 32);
  return at;
}

namespace {

std::int32_t* write_spec(std::int32_t* at, const TensorSpec& spec) {
  *at++ = static_cast<std::int32_t>(spec.dtype);
  *at++ = spec.shape.rank;
  for (const std::int32_t extent : spec.shape) *at++ = extent;
  return at;
}

}  // namespace

std::int32_t* write_tensor(std::int32_t* at, Handle handle, const Tensor& tensor) {
  return write_spec(write_id(at, handle), tensor.spec());
}

namespace {

/// Maximum number of inputs whose pointers are on the stack.
constexpr int kMaxStackInputs = 16;

Op checked_op(int op) {
  check(op >= 0 && op < kOpCount, "no op has the number ", op);
  return static_cast<Op>(op);
}

const Tensor& input(int op, Handle handle, int position) {
  const Tensor* tensor = ownership().find(handle);
  if (!tensor) [[unlikely]] {
    fail_with(ErrorCode::kDisposed,
              text("[", op_def(checked_op(op)).js_name, "] Tensor is disposed: argument ", position + 1));
  }
  return *tensor;
}

}  // namespace

int export_result(Tensor&& result) {
  write_spec(scratch + kIdWords, result.spec());
  write_id(scratch, ownership().add(std::move(result)));
  return 0;
}

int export_results(Tensors results) {
  std::size_t words = 0;
  for (const Tensor& result : results) words += kIdWords + 2 + static_cast<std::size_t>(result.rank());
  check(words <= kScratchWords, "too many results: ", results.size());
  ownership().reserve(results.size());
  std::int32_t* at = scratch;
  for (Tensor& result : results) {
    const Handle handle = ownership().add(std::move(result));
    at = write_tensor(at, handle, *ownership().find(handle));
  }
  return static_cast<int>(results.size());
}

/// Returns the address of the scratch words.
TENURE_CALL std::int32_t* tn_scratch() { return scratch; }
TENURE_CALL int tn_scratch_words() { return kScratchWords; }

TENURE_CALL int tn_error_code() { return static_cast<int>(error_code()); }
TENURE_CALL const char* tn_error_message() { return error_message(); }

/// Runs an op of one input; `attr_words` words of attributes are in the scratch. The result is described in
/// the scratch.
TENURE_CALL int tn_unary(int op, double x, int attr_words) {
  return guarded([&] {
    return export_result(run(checked_op(op), {&input(op, id_from(x), 0)}, attrs_in_scratch(0, attr_words)));
  });
}

/// Runs an op of two inputs without attributes. The result is described in the scratch.
TENURE_CALL int tn_binary(int op, double x, double y) {
  return guarded([&] {
    return export_result(run(checked_op(op), {&input(op, id_from(x), 0), &input(op, id_from(y), 1)}));
  });
}

/// Runs any op. The scratch has `inputs` ids, 0 for a missing optional input, then `attr_words` words of
/// attributes. Returns the number of results, which are described in sequence in the scratch.
TENURE_CALL int tn_op(int op, int inputs, int attr_words) {
  return guarded([&] {
    check(inputs >= 0 && attr_words >= 0 && inputs <= (kScratchWords - attr_words) / kIdWords, "[",
          op_def(checked_op(op)).js_name, "] at most ", (kScratchWords - attr_words) / kIdWords,
          " tensors can be given, got ", inputs);
    static const Tensor missing;
    const Tensor* few[kMaxStackInputs];
    std::vector<const Tensor*> pointers;
    if (inputs > kMaxStackInputs) pointers.resize(static_cast<std::size_t>(inputs));
    const Tensor** const tensors = inputs > kMaxStackInputs ? pointers.data() : few;
    for (int i = 0; i < inputs; ++i) {
      const Handle handle = read_id(scratch + kIdWords * i);
      tensors[i] = handle ? &input(op, handle, i) : &missing;
    }
    const Inputs in(std::span<const Tensor* const>(tensors, static_cast<std::size_t>(inputs)));
    return export_results(run_all(static_cast<Op>(op), in, attrs_in_scratch(kIdWords * inputs, attr_words)));
  });
}

/// Creates a tensor of uninitialised elements with the shape in the scratch. Returns the address of its
/// elements, with its id in the scratch, or -1 for an error.
TENURE_CALL int tn_create(int dtype, int rank) {
  return guarded([&] {
    check((dtype >= 0 && dtype <= static_cast<int>(DType::kBool)) ||
              dtype == static_cast<int>(DType::kComplex64),
          "no tensor can be made of dtype number ", dtype);
    check_shape(rank >= 0 && rank <= kMaxRank, "rank ", rank, " is higher than the highest supported, ",
                kMaxRank);
    const Shape shape(std::span<const std::int32_t>(scratch, static_cast<std::size_t>(rank)));
    shape.validate();
    Tensor tensor(TensorSpec{shape, static_cast<DType>(dtype)});
    auto* data = tensor.mutable_data<std::uint8_t>();
    export_result(std::move(tensor));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(data));
  });
}

/// Creates a string tensor with the shape in the scratch. Returns the address at which the caller writes the
/// offsets and then `text_bytes` bytes of text, with its id in the scratch, or -1 for an error.
TENURE_CALL int tn_create_strings(int rank, std::uint32_t text_bytes) {
  return guarded([&] {
    check_shape(rank >= 0 && rank <= kMaxRank, "rank ", rank, " is higher than the highest supported, ",
                kMaxRank);
    const Shape shape(std::span<const std::int32_t>(scratch, static_cast<std::size_t>(rank)));
    Tensor tensor = allocate_strings(shape, text_bytes);
    auto* data = tensor.mutable_data<std::uint8_t>();
    export_result(std::move(tensor));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(data));
  });
}

/// Returns the address of a tensor's elements, with their number of bytes in the scratch. Strings begin with
/// their offsets.
TENURE_CALL int tn_data(double handle) {
  return guarded([&] {
    const Tensor& tensor = ownership().get(id_from(handle));
    const bool is_text = tensor.dtype() == DType::kString;
    scratch[0] = static_cast<std::int32_t>(is_text ? tensor.storage()->bytes() : tensor.bytes());
    return static_cast<int>(reinterpret_cast<std::intptr_t>(tensor.data<std::uint8_t>()));
  });
}

TENURE_CALL int tn_alive(double handle) { return ownership().alive(id_from(handle)); }
TENURE_CALL int tn_dispose(double handle) {
  return unguarded([&] { return ownership().dispose(id_from(handle)); });
}
TENURE_CALL void tn_keep(double handle) {
  unguarded([&] { ownership().keep(id_from(handle)); });
}
TENURE_CALL void tn_hold(double handle) {
  unguarded([&] { ownership().retain(id_from(handle)); });
}

/// Reserves handles for `count` more tensors, so that creating them does not throw for lack of memory for
/// handles.
TENURE_CALL int tn_reserve(int count) {
  return guarded([&] {
    ownership().reserve(static_cast<std::size_t>(count));
    return 0;
  });
}

/// Retains a tensor for a variable or model, and returns the id that it owns. That is the tensor's id or, if
/// `shared` is set or the tensor is retained already, a new id of the same bytes.
TENURE_CALL double tn_adopt(double handle, int shared) {
  return guarded([&] { return static_cast<double>(ownership().adopt(id_from(handle), shared != 0)); });
}

/// Assigns the value of one handle to another, a variable's.
TENURE_CALL int tn_assign(double variable, double value) {
  return guarded([&] {
    ownership().assign(id_from(variable), ownership().get(id_from(value)));
    return 0;
  });
}

/// Limits the memory that the engine takes from the system to `bytes`; the largest number means no limit.
TENURE_CALL void tn_set_budget(std::uint32_t bytes) {
  unguarded([&] { set_memory_budget(bytes); });
}
/// Frees all pools, and all plans that are not running.
TENURE_CALL void tn_trim() { unguarded(trim_memory); }

/// Sets the number of elements from which the results of cheap ops are computed lazily; a negative number
/// changes nothing. Returns the previous number.
TENURE_CALL double tn_min_lazy_elements(double elements) {
  const auto before = static_cast<double>(min_lazy_elements());
  if (elements >= 0) set_min_lazy_elements(static_cast<std::size_t>(std::min(elements, 4294967295.0)));
  return before;
}

#ifdef TENURE_DEBUG
/// Makes an op and an allocation fail once, after that many others; -1 for none. For tests.
TENURE_CALL void tn_fail(int after_ops, int after_allocations) {
  fault_injection::fail_op(after_ops);
  fault_injection::fail_allocation(after_allocations);
}
#endif

/// Allocates memory of `bytes` bytes for data that JavaScript passes to the engine, with the slack of a
/// Storage. Returns the address.
TENURE_CALL int tn_allocate(std::size_t bytes) {
  return guarded([&] {
    void* block = allocate(std::max(bytes, bytes + Storage::kSlack));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(block));
  });
}
TENURE_CALL void tn_deallocate(std::uintptr_t block, std::size_t bytes) {
  unguarded([&] { deallocate(reinterpret_cast<void*>(block), bytes + Storage::kSlack); });
}

}  // namespace tenure::wasm
