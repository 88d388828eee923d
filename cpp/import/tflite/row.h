#pragma once

#include "import/tflite/types.h"
#include "model/executor/operands.h"

namespace tenure::tflite {

using namespace executor;

/// A field of an op's options, which becomes an attribute of its nodes.
struct Option {
  /// Types of fields: numbers, and then vectors of int32, int64, which are clamped to 32 bits, and float.
  enum Type : std::uint8_t { kByte, kInt, kFloat, kInts, kLongs, kFloats };
  std::string_view name;
  std::uint8_t field = 0;
  Type type = kInt;
  double otherwise = 0;
};

/// How the reader treats quantized inputs and outputs of an op. Their values in a graph are stored - zero
/// point, as float32.
enum class Quantized : std::uint8_t {
  kReal,      ///< the op gets and returns real numbers, and the reader converts them
  kSame,      ///< the op moves or compares values: it gets those of the output's scale
  kRounded,   ///< as kSame, but the results have to be rounded
  kStored,    ///< the op gets and returns the stored integers, as int32
  kWeighted,  ///< a sum of products of inputs 0 and 1 with the bias of input 2, without activation
  /// As kWeighted. If the weights are int8, the op gets them so, and the bias as int32; it returns rescale()
  /// of the sums.
  kIntegerWeighted,
};

/// The layout that the row needs for the filter of input 1.
enum class Filter : std::uint8_t {
  kNone,
  kOhwi,
  kOhwiToHwoi,
  kMatrix,  ///< [out, in], transposed if it is int8
};

/// The implementation of a builtin op.
struct OpRow {
  std::int32_t code = 0;  ///< its BuiltinOperator
  Row row;
  std::span<const Option> options = {};
  Quantized quantized = Quantized::kReal;
  Filter filter = Filter::kNone;
  /// Numbers of the inputs that are variables of the model. The row returns their next values after its
  /// results.
  std::span<const std::int8_t> states = {};
};

/// Numbers of BuiltinOperator of ops that the reader handles itself, or recognizes.
enum BuiltinOp : std::int32_t {
  kBasicLstm = -16,  ///< LSTM of the kernel type BASIC, which has other inputs; no number of the schema
  kConv = 3,
  kDepthwiseConv = 4,
  kDequantize = 6,
  kLshProjection = 15,
  kStoredGather = -36,  ///< GATHER from a constant of stored integers; no number of the schema
  kLstm = 16,
  kCustom = 32,
  kGather = 36,
  kQuantize = 114,
  kIf = 118,
  kWhile = 119,
  kDensify = 124,
  kCallOnce = 129,
  kHashTable = 136,
  kHashTableFind = 137,
  kHashTableImport = 138,
  kHashTableSize = 139,
  kVarHandle = 142,
  kReadVariable = 143,
  kAssignVariable = 144,
  kBitcast = 159,
  kStablehloScatter = 190,
  kStablehloReduceWindow = 198,
  kRngBitGenerator = 204,
  kComposite = 206,
  kCase = 209,
};

/// Returns the row of a builtin op, or null for an unknown one.
const OpRow* find_row(std::int32_t code);
/// Returns the row of a custom op, or null for an unknown one.
const OpRow* find_custom_row(std::string_view name);
/// True if the op has no row in rows/: it is a custom op, has its row in rare/, or is not supported.
bool is_rare(const OperatorCode& code);
/// Returns the name of a builtin op, or its number if the importer has no name for it.
std::string get_op_name(std::int32_t code);

/// The attribute that says that the reader has permuted the filter.
inline constexpr std::string_view kPermuted = "permuted filter";
/// The attribute with the bytes of a custom op's options, as a string.
inline constexpr std::string_view kCustomOptions = "custom_options";

/// The beginning of the names of attributes of quantized variables, which ends in the number of the input:
/// the scale, and the lowest and highest stored values without zero point.
inline constexpr std::string_view kStatePrefix = "state ";

/// Options that many ops have.
inline constexpr Option kActivationOption[] = {{"activation", 0, Option::kByte}};
inline constexpr Option kBlockOptions[] = {{"block_size", 0, Option::kInt}};

/// Adds an attribute that is a number.
void add_number(Attributes& attrs, std::string_view name, double number);
/// Adds an attribute that is a text.
void add_string(Attributes& attrs, std::string_view name, std::string_view words);
/// Adds an attribute that is a type of a file, which the engine computes as `dtype`.
void add_type(Attributes& attrs, std::string_view name, ElementType type, std::optional<DType> dtype);

/// Applies the function of the attribute "activation", a number of ActivationFunctionType.
Tensor activate(const Call& call, const Tensor& x);
/// Multiplies sums of products by the attribute "scales", rounds to the nearest integer, halves to even
/// numbers, and clamps to "low" and "high".
Tensor rescale(const Call& call, const Tensor& sums);
/// Convolves images with an int8 filter [h, w, in, out], adds the bias of input 2, and applies rescale(). The
/// low and high of `attrs` are not read.
Tensor convolve_integers(const Call& call, const Tensor& x, const Tensor& filter, IntegerConvAttrs attrs);
/// Returns CONV_2D with dilations or in groups. The filter is [height, width, in, out].
Tensor convolve_dilated_or_grouped(const Call& call, const Tensor& filter);
/// Returns DEPTHWISE_CONV_2D with dilations. The filter is [height, width, in, multiplier], or [height,
/// width, 1, out] if it is int8.
Tensor convolve_dilated_depthwise(const Call& call, const Tensor& filter);
/// Throws unless images and a filter have rank 4.
void check_images(const Tensor& x, const Tensor& filter);
/// Returns input 1, a filter [out, height, width, in] that the reader may have permuted, in the layout of
/// conv2d_transpose(). Throws unless it and the images have rank 4.
Tensor read_transposed_filter(const Call& call, const Tensor& images);
/// Returns an attribute. Throws unless it is 1 or more.
std::int32_t read_positive(const Call& call, std::string_view name);
/// Returns the attribute "block_size" of kBlockOptions. Throws unless it is 1 or more.
std::int32_t read_block(const Call& call);
/// Returns the padding of the attribute "padding": 0 is SAME, 1 is VALID.
Padding read_padding(const Call& call);
/// Returns a list of `count` numbers for each axis of input 0. Throws for another number of them.
std::vector<std::int32_t> read_per_axis(const Call& call, std::string_view name, std::size_t count = 1);
/// Puts elements of input 0 apart along each axis, and adds elements at its ends, with the value of input 1.
/// Negative padding crops. If it leaves no elements along an axis, all extents of the result are 0.
Tensor pad_and_dilate(const Call& call, std::span<const std::int32_t> low, std::span<const std::int32_t> high,
                      std::span<const std::int32_t> interior);
/// Returns the bytes of numbers as a file stores them.
std::vector<std::byte> encode_elements(const Tensor& x, RawType type);
/// Returns the type of an attribute that add_type() added. Throws for types whose bits the engine does not
/// keep.
RawType read_bits_type(const Call& call, std::string_view name);
/// Throws if a constant of 64-bit integers has one that int32 cannot hold.
void check_32_bits(const TensorDef& def, std::span<const std::byte> buffer);
/// Returns [before, axis, after], the shape collapsed around `axis`.
Shape collapse_around(const Shape& shape, int axis);

}  // namespace tenure::tflite
