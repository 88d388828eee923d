// STABLEHLO_RNG_BIT_GENERATOR: random bits of a counter and a key, by Philox4x32 of 10 rounds or Threefry2x32
// of 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011). The order of the bits
// is that of LiteRT. States are 64-bit numbers. Between nodes of this op they are pairs of 32-bit words, the
// low ones first.

#include <algorithm>
#include <array>

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

using Words = std::array<std::uint32_t, 4>;

enum Algorithm : std::int32_t { kDefault = 0, kPhilox = 1, kThreefry = 2 };

/// The output of a node with the words of its next state, which other nodes of the op read.
constexpr std::uint32_t kWordsOutput = 2;

/// Returns the random words of a counter. All four words of the counter count.
Words philox(std::uint32_t key0, std::uint32_t key1, Words counter) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return counter;
}

/// Returns the random words of a counter. The first two words of the counter and of the result count.
Words threefry(std::uint32_t key0, std::uint32_t key1, Words counter) {
  constexpr std::uint8_t kRotations[] = {13, 15, 26, 6, 17, 29, 16, 24};
  const std::array<std::uint32_t, 3> keys{key0, key1, key0 ^ key1 ^ 0x1BD11BDAU};
  std::uint32_t a = counter[0] + key0;
  std::uint32_t b = counter[1] + key1;
  for (std::uint32_t round = 0; round < 20; ++round) {
    const std::uint32_t bits = kRotations[round % 8];
    a += b;
    b = ((b << bits) | (b >> (32U - bits))) ^ a;
    if (round % 4 != 3) continue;
    const std::uint32_t injection = round / 4 + 1;
    a += keys[injection % 3];
    b += keys[(injection + 1) % 3] + injection;
  }
  return {a, b, 0, 0};
}

/// Returns the words of a state of int32, into which wider numbers are clamped.
std::vector<std::uint32_t> widen(std::span<const std::int32_t> state) {
  std::vector<std::uint32_t> words;
  for (const std::int32_t value : state) {
    check(value != INT32_MAX, "its state has ", value, ", to which numbers beyond 32 bits are clamped");
    words.push_back(static_cast<std::uint32_t>(value));
    words.push_back(value < 0 ? UINT32_MAX : 0);
  }
  return words;
}

/// Returns a state as int32. Throws if a number does not fit, unless the numbers are clamped.
Tensor narrow(std::span<const std::uint32_t> words, bool is_clamped) {
  std::vector<std::int32_t> state;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::uint64_t value = (std::uint64_t{words[i + 1]} << 32U) | words[i];
    check(is_clamped || value <= INT32_MAX, "its next state has ", value,
          ", which a node reads that computes in 32 bits");
    state.push_back(static_cast<std::int32_t>(std::min<std::uint64_t>(value, INT32_MAX)));
  }
  return Tensor::from(std::span<const std::int32_t>(state), {static_cast<std::int32_t>(state.size())});
}

Tensor to_tensor(std::span<const std::uint32_t> words, const Shape& shape) {
  Tensor result({shape, DType::kInt32});
  std::int32_t* to = result.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < words.size(); ++i) to[i] = static_cast<std::int32_t>(words[i]);
  return result;
}

std::vector<std::uint32_t> read_words(const Call& call) {
  const std::vector<std::int32_t> state = call.integers(0);
  if (!call.attrs().flag("words")) return widen(state);
  return {state.begin(), state.end()};
}

/// Returns the next state, random bits, and the words of the next state.
EdgeValues generate(const Call& call) {
  std::vector<std::uint32_t> state = read_words(call);
  const std::int32_t algorithm = call.attrs().integer("algorithm", kDefault);
  check(algorithm >= kDefault && algorithm <= kThreefry, "its algorithm is number ", algorithm);
  const bool is_threefry = algorithm == kThreefry;
  check_shape(state.size() == 4 || (state.size() == 6 && !is_threefry), "expected a state of 2 ",
              is_threefry ? "" : "or 3 ", "numbers, got ", state.size() / 2);
  const std::size_t rest = state.size() == 6 ? 4 : 0;
  Words counter{state[2], state[3], state[rest], state[rest + 1]};
  Tensor bits({call.attrs().shape("shape").value_or(Shape()), DType::kInt32});
  const std::span to(bits.mutable_data<std::int32_t>(), bits.elements());
  const std::size_t block = is_threefry ? 2 : 4;
  for (std::size_t i = 0; i < to.size(); i += block) {
    const Words random =
        is_threefry ? threefry(state[0], state[1], counter) : philox(state[0], state[1], counter);
    for (std::size_t k = 0; k < block && i + k < to.size(); ++k)
      to[i + k] = static_cast<std::int32_t>(random[k]);
    if (++counter[0] == 0) ++counter[1];
  }
  state[2] = counter[0];
  state[3] = counter[1];
  const auto count = static_cast<std::int32_t>(state.size());
  return {narrow(state, !call.attrs().flag("state is read")), bits, to_tensor(state, {count / 2, 2})};
}

constexpr Row kGeneratorRow{"STABLEHLO_RNG_BIT_GENERATOR", generate};

}  // namespace

void GraphReader::read_bit_generator(NameScope& scope, const OperatorDef& op) {
  check_inputs(op, 1, 2);
  const TensorDef& state = get_tensor(scope, op.inputs[0]);
  const TensorDef& bits = get_tensor(scope, op.outputs[1]);
  check(state.type == ElementType::kUint64 && state.shape.size() == 1, "its state is of the type ",
        get_type_name(state.type), " and of rank ", state.shape.size(), ", expected a vector of uint64");
  check(bits.type == ElementType::kInt32 || bits.type == ElementType::kUint32, "bits of the type ",
        get_type_name(bits.type), " are not supported, only those of int32 and uint32");
  Node node;
  node.name = scope.names[static_cast<std::size_t>(op.outputs[0])];
  node.op = kGeneratorRow.op;
  node.row = &kGeneratorRow;
  node.outputs = kWordsOutput + 1;
  node.inputs.push_back(find_words(scope, op.inputs[0]));
  const Node& source = scope.block.nodes[node.inputs[0].node];
  const bool has_words = source.role == NodeRole::kConstant || source.row == &kGeneratorRow;
  if (has_words) add_number(node.attrs, "words", 1);
  add_number(node.attrs, "algorithm", op.options ? op.options->number<std::int8_t>(0) : kDefault);
  Attributes::Value shape{.name = "shape", .is_shape = true};
  for (const std::int32_t extent : to_shape(bits.shape)) shape.numbers.push_back(extent);
  node.attrs.add(std::move(shape));
  const bool is_read =
      std::any_of(scope.graph.operators.begin(), scope.graph.operators.end(), [&](const OperatorDef& other) {
        return model_.codes[other.code].builtin != kRngBitGenerator &&
               std::find(other.inputs.begin(), other.inputs.end(), op.outputs[0]) != other.inputs.end();
      });
  if (is_read) add_number(node.attrs, "state is read", 1);
  set_values(scope, op.outputs, add(scope, std::move(node)));
}

Ref GraphReader::find_words(NameScope& scope, std::int32_t tensor) {
  const TensorDef& def = get_tensor(scope, tensor);
  if (!is_constant(scope, tensor)) {
    Ref ref = find(scope, tensor, ValueForm::kGraph);
    if (scope.block.nodes[ref.node].row == &kGeneratorRow) ref.output = kWordsOutput;
    return ref;
  }
  count_decoded(def);
  const std::span<const std::byte> buffer = get_buffer(def);
  const Shape shape{to_shape(def.shape)[0], 2};
  check(buffer.size() == sizeof(std::uint32_t) * shape.elements(), "its state has ", buffer.size(),
        " bytes of data, expected ", sizeof(std::uint32_t) * shape.elements());
  return add_constant(scope, scope.names[static_cast<std::size_t>(tensor)],
                      decode_raw(RawType::kInt32, buffer, shape));
}

}  // namespace tenure::tflite
