// The raw calls of tensors and ops, and what all raw calls share.

#include <algorithm>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/memory/allocator.h"
#include "core/memory/memory_user.h"
#include "core/run/dispatch.h"
#include "core/run/faults.h"
#include "core/strings.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {

alignas(16) std::int32_t scratch[kScratchWords + 1];

void keep_error() {
  constexpr const char* kNoMemory = "out of memory";
  try {
    throw;
  } catch (const Error& error) {
    set_last_error(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    set_last_error(ErrorCode::kOutOfMemory, kNoMemory);
  } catch (const std::length_error&) {
    // Of a vector that no memory could hold.
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
  check(count >= 0 && at >= 0 && count <= (kScratchWords - at) / kIdWords, count,
        " tensors are more than can be given at once");
}

namespace {

template <class F>
Tensors read_tensors(int count, int at, F tensor_of) {
  check_room(count, at);
  Tensors tensors;
  tensors.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) tensors.push_back(tensor_of(read_id(scratch + at + kIdWords * i)));
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
  check(at >= 0 && words >= 0 && words <= kScratchWords - at, words,
        " words of attributes are more than can be given at once");
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

/// More of them are not on the stack.
constexpr int kFewInputs = 16;

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

int hand_out(Tensor&& result) {
  write_spec(scratch + kIdWords, result.spec());
  write_id(scratch, ownership().add(std::move(result)));
  return 0;
}

int hand_out_all(Tensors results) {
  std::size_t words = 0;
  for (const Tensor& result : results) words += kIdWords + 2 + static_cast<std::size_t>(result.rank());
  check(words <= kScratchWords, results.size(), " results are more than can be handed out at once");
  ownership().reserve(results.size());
  std::int32_t* at = scratch;
  for (Tensor& result : results) {
    const Handle handle = ownership().add(std::move(result));
    at = write_tensor(at, handle, *ownership().find(handle));
  }
  return static_cast<int>(results.size());
}

/// Address of the scratch words.
TENURE_CALL std::int32_t* tn_scratch() { return scratch; }
TENURE_CALL int tn_scratch_words() { return kScratchWords; }

TENURE_CALL int tn_error_code() { return static_cast<int>(error_code()); }
TENURE_CALL const char* tn_error_message() { return error_message(); }

/// One input, no attributes but `attr_words` of them in the scratch; the result is described there.
TENURE_CALL int tn_unary(int op, double x, int attr_words) {
  return guarded([&] {
    return hand_out(run(checked_op(op), {&input(op, id_from(x), 0)}, attrs_in_scratch(0, attr_words)));
  });
}

/// Two inputs, no attributes; the result is described in the scratch.
TENURE_CALL int tn_binary(int op, double x, double y) {
  return guarded(
      [&] { return hand_out(run(checked_op(op), {&input(op, id_from(x), 0), &input(op, id_from(y), 1)})); });
}

/// Any op: `inputs` ids, then `attr_words` of attributes in the scratch, an id of 0 standing for a missing
/// optional input; gives the number of results, described one behind the other in the scratch.
TENURE_CALL int tn_op(int op, int inputs, int attr_words) {
  return guarded([&] {
    check(inputs >= 0 && attr_words >= 0 && inputs <= (kScratchWords - attr_words) / kIdWords, "[",
          op_def(checked_op(op)).js_name, "] at most ", (kScratchWords - attr_words) / kIdWords,
          " tensors can be given, got ", inputs);
    static const Tensor missing;
    const Tensor* few[kFewInputs];
    std::vector<const Tensor*> many;
    if (inputs > kFewInputs) many.resize(static_cast<std::size_t>(inputs));
    const Tensor** const tensors = inputs > kFewInputs ? many.data() : few;
    for (int i = 0; i < inputs; ++i) {
      const Handle handle = read_id(scratch + kIdWords * i);
      tensors[i] = handle ? &input(op, handle, i) : &missing;
    }
    const Inputs in(std::span<const Tensor* const>(tensors, static_cast<std::size_t>(inputs)));
    return hand_out_all(run_all(static_cast<Op>(op), in, attrs_in_scratch(kIdWords * inputs, attr_words)));
  });
}

/// A tensor of uninitialised elements, of the shape in the scratch; gives the address of its elements, and
/// its id in the scratch. -1 as an address is an error.
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
    hand_out(std::move(tensor));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(data));
  });
}

/// Likewise of strings: offsets and then text of so many bytes are to be written at the address.
TENURE_CALL int tn_create_strings(int rank, std::uint32_t text_bytes) {
  return guarded([&] {
    check_shape(rank >= 0 && rank <= kMaxRank, "rank ", rank, " is higher than the highest supported, ",
                kMaxRank);
    const Shape shape(std::span<const std::int32_t>(scratch, static_cast<std::size_t>(rank)));
    Tensor tensor = allocate_strings(shape, text_bytes);
    auto* data = tensor.mutable_data<std::uint8_t>();
    hand_out(std::move(tensor));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(data));
  });
}

/// Address of the elements, and their number of bytes in the scratch; of strings, with their offsets.
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
  unguarded([&] { ownership().hold(id_from(handle)); });
}

/// Makes room for so many more tensors, so that making them does not throw for the want of it.
TENURE_CALL int tn_reserve(int count) {
  return guarded([&] {
    ownership().reserve(static_cast<std::size_t>(count));
    return 0;
  });
}

/// The id of what a holder owns from now on: the tensor's own or, if `shared` or where a holder has it, a new
/// one.
TENURE_CALL double tn_adopt(double handle, int shared) {
  return guarded([&] { return static_cast<double>(ownership().adopt(id_from(handle), shared != 0)); });
}

/// Puts the value of one handle behind another, a variable's.
TENURE_CALL int tn_assign(double variable, double value) {
  return guarded([&] {
    ownership().assign(id_from(variable), ownership().get(id_from(value)));
    return 0;
  });
}

/// Bounds what the engine takes from the system; no bound for the largest number.
TENURE_CALL void tn_set_budget(std::uint32_t bytes) {
  unguarded([&] { set_memory_budget(bytes); });
}
/// Frees every pool, and every plan that is not running.
TENURE_CALL void tn_trim() { unguarded(trim_memory); }

/// Elements from which results of cheap ops wait to be read, from now on; a negative number changes nothing.
/// Gives what it was.
TENURE_CALL double tn_least_lazy(double elements) {
  const auto before = static_cast<double>(least_lazy());
  if (elements >= 0) set_least_lazy(static_cast<std::size_t>(std::min(elements, 4294967295.0)));
  return before;
}

#ifdef TENURE_DEBUG
/// For tests: an op and an allocation that fail, after so many others.
TENURE_CALL void tn_fail(int after_ops, int after_allocations) {
  faults::fail_op(after_ops);
  faults::fail_allocation(after_allocations);
}
#endif

/// Plain memory for what JavaScript hands over, as a storage has it.
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
