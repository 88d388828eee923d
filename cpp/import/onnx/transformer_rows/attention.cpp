// Attention: of ai.onnx, and the three forms of com.microsoft.

#include <cmath>
#include <limits>

#include "import/onnx/families.h"
#include "import/onnx/transformer_rows/cache.h"
#include "import/onnx/transformer_rows/rotary.h"

namespace tenure::onnx {
namespace {

/// Queries [batch, heads, length, size], keys and values [batch, shared heads, total, size].
struct Heads {
  Tensor queries;
  Tensor keys;
  Tensor values;
};

struct Masking {
  Tensor bias = {};          ///< added to the scores, [..., length, total], or empty
  Tensor keeps = {};         ///< bool: which keys a query sees, [..., length, total], or empty
  bool is_causal = false;    ///< query i sees the keys up to offset + i
  std::int32_t offset = 0;   ///< of the first query among the keys
  Tensor offsets = {};       ///< added to `offset`, [batch, 1, 1, 1], or empty
  std::int32_t window = -1;  ///< how many of these it sees, -1 for all
};

struct Scoring {
  float scale = 1;
  float cap = 0;      ///< scores are capped smoothly to this magnitude, unless 0
  Tensor sinks = {};  ///< scores of a key without value, [heads, 1, 1] or a scalar, or empty
};

constexpr float kLowest = std::numeric_limits<float>::lowest();

Tensor count_up(std::int32_t start, std::int32_t count) {
  return range({.step = 0, .int_start = start, .int_step = 1, .count = count, .dtype = DType::kInt32});
}

/// Returns the keys that each query sees by its position, [length, total] or [batch, 1, length, total].
Tensor causal_mask(const Masking& masking, std::int32_t length, std::int32_t total) {
  Tensor rows = reshape(count_up(masking.offset, length), {Shape{length, 1}});
  if (masking.offsets) rows = add(rows, masking.offsets);
  const Tensor columns = count_up(0, total);
  Tensor keeps = less_equal(columns, rows);
  if (masking.window < 0) return keeps;
  return logical_and(keeps, greater(columns, sub(rows, Tensor::scalar(masking.window))));
}

/// Intermediate results of an attention.
struct Attended {
  Tensor output;  ///< [batch, heads, length, size]
  Tensor products;
  Tensor capped;
  Tensor biased;  ///< without the keys that are not seen
  Tensor keeps;   ///< the keys that are seen, or empty
  Tensor weights;
};

/// Returns softmax(scores), where a key without value takes a part of the weights if there are sinks.
Tensor softmax_with_sink(const Tensor& scores, const Tensor& sinks) {
  if (!sinks) return softmax(scores);
  Shape column = scores.shape();
  column.back() = 1;
  const Tensor weights = softmax(concat({scores, broadcast_to(sinks, {column})}, {scores.rank() - 1}));
  Dims begin;
  for (int i = 0; i < scores.rank(); ++i) begin.push_back(0);
  return slice(weights, {begin, scores.shape()});
}

/// Computes softmax(queries * keys) * values. Several heads of queries may share one of keys.
Attended attend(const Heads& heads, const Masking& masking, const Scoring& scoring) {
  const Tensor& q = heads.queries;
  const Tensor& k = heads.keys;
  check_shape(q.rank() == 4 && k.rank() == 4 && heads.values.rank() == 4 && q.dim(3) == k.dim(3) &&
                  k.dim(1) > 0 && q.dim(1) % k.dim(1) == 0 && heads.values.dim(2) == k.dim(2),
              "queries of ", q.shape(), ", keys of ", k.shape(), " and values of ", heads.values.shape(),
              " do not fit");
  const std::int32_t batch = q.dim(0);
  const std::int32_t length = q.dim(2);
  const std::int32_t total = k.dim(2);
  // The queries that share keys are the rows of one product.
  const std::int32_t rows = q.dim(1) / k.dim(1) * length;
  const auto group = [&](const Tensor& x) { return reshape(x, {Shape{batch, k.dim(1), rows, -1}}); };
  const auto ungroup = [&](const Tensor& x) { return reshape(x, {Shape{batch, q.dim(1), length, -1}}); };
  const Tensor scaled = mul(q, Tensor::scalar(scoring.scale));
  Attended result;
  result.products = ungroup(multiply_by_cache(group(scaled), k, {.transpose_b = true}));
  Tensor scores = result.products;
  if (scoring.cap != 0)
    scores = mul(tanh(mul(scores, Tensor::scalar(1 / scoring.cap))), Tensor::scalar(scoring.cap));
  result.capped = scores;
  if (masking.bias) scores = add(scores, masking.bias);
  result.biased = scores;
  Tensor keeps = masking.keeps;
  if (masking.is_causal) {
    const Tensor causal = causal_mask(masking, length, total);
    keeps = keeps ? logical_and(keeps, causal) : causal;
  }
  result.keeps = keeps;
  if (keeps) scores = where(keeps, scores, Tensor::scalar(kLowest));
  result.weights = softmax_with_sink(scores, scoring.sinks);
  result.output = ungroup(multiply_by_cache(group(result.weights), heads.values));
  return result;
}

/// Appends keys or values to those of the past, [batch, heads, length, size].
Tensor append(const Tensor& past, const Tensor& x) {
  return past && past.dim(2) > 0 ? append_to_cache(past, x, 2) : x;
}

float read_scale(const Call& call, std::int32_t size) {
  const auto scale = static_cast<float>(call.attrs().number("scale", 0));
  return scale != 0 ? scale : 1 / std::sqrt(static_cast<float>(size));
}

std::int32_t read_heads(const Call& call, std::string_view name) {
  const std::int32_t heads = call.attrs().integer(name, 0);
  check(heads > 0 && heads < 1 << 20, "attribute \"", name, "\" is ", heads);
  return heads;
}

constexpr float kNegativeInfinity = -std::numeric_limits<float>::infinity();

/// Pads a mask to `total` keys. The queries do not see keys beyond the mask.
Tensor pad_mask(const Tensor& mask, std::int32_t total) {
  const std::int32_t missing = total - mask.shape().back();
  if (missing <= 0) return mask;
  PadAttrs attrs{.value = mask.dtype() == DType::kBool ? 0 : kNegativeInfinity};
  for (int i = 0; i < mask.rank(); ++i) {
    attrs.before.push_back(0);
    attrs.after.push_back(i == mask.rank() - 1 ? missing : 0);
  }
  return pad(mask, attrs);
}

/// Returns which queries attend to a key, [..., length, 1], or an empty tensor if all do.
Tensor find_attending_queries(const Masking& masking, const Tensor& keeps) {
  Tensor attends = masking.keeps || masking.bias ? keeps : Tensor();
  if (masking.bias) {
    const Tensor finite = greater(masking.bias, Tensor::scalar(kNegativeInfinity));
    attends = attends ? logical_and(attends, finite) : finite;
  }
  return attends ? any(attends, {.axes = {-1}, .keep_dims = true}) : attends;
}

/// Returns the scores that the attribute "qk_matmul_output_mode" asks for.
Tensor select_scores(const Attended& found, std::int32_t mode) {
  switch (mode) {
    case 1: return found.capped;
    case 2:
      return found.keeps ? where(found.keeps, found.biased, Tensor::scalar(kNegativeInfinity)) : found.biased;
    case 3: return found.weights;
    default: return found.products;
  }
}

/// The op of ai.onnx.
EdgeValues standard_attention(const Call& call) {
  const bool is_joined = call[0].rank() == 3;
  const auto split = [&](int i, std::string_view name) {
    return is_joined ? split_heads(call[i], read_heads(call, name)) : call[i];
  };
  Heads heads{split(0, "q_num_heads"), split(1, "kv_num_heads"), split(2, "kv_num_heads")};
  const Tensor past = optional(call, 4);
  heads.keys = append(past, heads.keys);
  heads.values = append(optional(call, 5), heads.values);
  Masking masking{.is_causal = call.attrs().flag("is_causal"), .offset = past ? past.dim(2) : 0};
  const std::int32_t total = heads.keys.dim(2);
  if (const Tensor mask = optional(call, 3)) {
    check_shape(mask.rank() > 0, "its mask is a scalar");
    // Before opset 24 all axes of a mask broadcast.
    (mask.dtype() == DType::kBool ? masking.keeps : masking.bias) =
        opset(call) >= 24 ? pad_mask(mask, total) : mask;
  }
  if (const Tensor given = optional(call, 6)) {
    const Tensor lengths = reshape(as_indices(given), {Shape{-1, 1, 1, 1}});
    const Tensor keeps = less(count_up(0, total), lengths);
    // The queries are the last keys that are no padding.
    if (!past) masking.offsets = sub(lengths, Tensor::scalar(heads.queries.dim(2)));
    masking.keeps = masking.keeps ? logical_and(masking.keeps, keeps) : keeps;
  }
  const Scoring scoring{read_scale(call, heads.queries.dim(3)),
                        static_cast<float>(call.attrs().number("softcap", 0))};
  const Attended found = attend(heads, masking, scoring);
  // The output of a query that attends to no key is 0.
  const Tensor attends = find_attending_queries(masking, found.keeps);
  const Tensor output = attends ? where(attends, found.output, Tensor::scalar(0.0F)) : found.output;
  EdgeValues results{is_joined ? join_heads(output) : output, heads.keys, heads.values};
  if (call.node().outputs > 3)
    results.emplace_back(select_scores(found, call.attrs().integer("qk_matmul_output_mode", 0)));
  return results;
}

/// Returns the bias of a mask of com.microsoft: the ends of the keys that are seen, [batch], or their ends
/// and then their starts, [2 * batch], or numbers that are not 0 for such keys, [batch, total] or [batch,
/// length, total].
Tensor padding_bias(const Call& call, int input, std::int32_t batch, std::int32_t total) {
  const Tensor mask = optional(call, input);
  if (!mask) return {};
  const auto filter = static_cast<float>(call.attrs().number("mask_filter_value", -10000));
  Tensor keeps;
  if (mask.rank() == 1) {
    const bool has_starts = mask.dim(0) == 2 * batch;
    check_shape(has_starts || mask.dim(0) == batch, "a mask of ", mask.shape(), " is not supported");
    const Tensor bounds = reshape(as_indices(mask), {Shape{-1, batch, 1, 1, 1}});
    const Tensors parts = unstack(bounds, {0});
    keeps = less(count_up(0, total), parts[0]);
    if (has_starts) keeps = logical_and(keeps, greater_equal(count_up(0, total), parts[1]));
  } else {
    check_shape(mask.rank() <= 3 && mask.shape().back() == total, "a mask of ", mask.shape(),
                " does not fit ", total, " keys");
    const std::int32_t rows = mask.rank() == 3 ? mask.dim(1) : 1;
    keeps = reshape(as_dtype(mask, DType::kBool), {Shape{mask.dim(0), 1, rows, total}});
  }
  return where(keeps, Tensor::scalar(0.0F), Tensor::scalar(filter));
}

Tensor add_optional(const Tensor& a, const Tensor& b) { return a && b ? add(a, b) : (a ? a : b); }

/// Returns a slice of a bias [sum of sizes], or an empty tensor.
Tensor part_of_bias(const Tensor& bias, std::int32_t begin, std::int32_t size) {
  return bias ? slice(bias, {Dims{begin}, Dims{size}}) : Tensor();
}

/// MultiHeadAttention: queries, keys and values.
EdgeValues multi_head(const Call& call) {
  const std::int32_t count = read_heads(call, "num_heads");
  Tensor q = call[0];
  Tensor k = optional(call, 1);
  Tensor v = optional(call, 2);
  const Tensor bias = optional(call, 3);
  check_shape(q.rank() == 3 && k && v && k.rank() != 5, "packed queries, keys and values are not supported");
  // Cross attention gives keys and values that are split already.
  const bool is_split = k.rank() == 4;
  const std::int32_t size = q.dim(2);
  q = add_optional(q, part_of_bias(bias, 0, size));
  if (!is_split) {
    k = add_optional(k, part_of_bias(bias, size, size));
    v = add_optional(v, part_of_bias(bias, 2 * size, bias ? v.dim(2) : 0));
  }
  Heads heads{split_heads(q, count), is_split ? k : split_heads(k, count),
              is_split ? v : split_heads(v, count)};
  heads.keys = append(optional(call, 6), heads.keys);
  heads.values = append(optional(call, 7), heads.values);
  const std::int32_t total = heads.keys.dim(2);
  Masking masking{.bias = add_optional(padding_bias(call, 4, q.dim(0), total), optional(call, 5)),
                  .is_causal = call.attrs().flag("unidirectional"),
                  .offset = total - q.dim(1)};
  const Attended found = attend(heads, masking, {read_scale(call, heads.queries.dim(3))});
  return {join_heads(found.output), heads.keys, heads.values};
}

/// Input indices that differ between the attention ops.
struct AttentionInputs {
  int mask;
  int past;
  int bias;  ///< of the scores
};

/// Attends to one input x. The weights of its queries, keys and values are in one matrix.
EdgeValues packed_self_attention(const Call& call, const Tensor& x, const Tensor& weights,
                                 const AttentionInputs& at) {
  const std::int32_t count = read_heads(call, "num_heads");
  check_shape(x.rank() == 3 && weights.rank() == 2, "weights of ", weights.shape(),
              " do not fit an input of ", x.shape());
  std::vector<std::int32_t> sizes = call.attrs().integers("qkv_hidden_sizes");
  if (sizes.empty()) sizes.assign(3, weights.dim(1) / 3);
  check(sizes.size() == 3, "attribute \"qkv_hidden_sizes\" has ", sizes.size(), " numbers");
  check(!call.attrs().flag("do_rotary"), "rotary embedding is not supported");
  const Tensor flat = reshape(x, {Shape{x.dim(0) * x.dim(1), x.dim(2)}});
  const Tensor product = has(call, 2) ? mat_mul(flat, weights, call[2]) : mat_mul(flat, weights);
  const Tensors parts = split(reshape(product, {Shape{x.dim(0), x.dim(1), -1}}), {.sizes = sizes, .axis = 2});
  Heads heads{split_heads(parts[0], count), split_heads(parts[1], count), split_heads(parts[2], count)};
  if (const Tensor past = optional(call, at.past)) {
    check_shape(past.rank() == 5 && past.dim(0) == 2,
                "expected a past of [2, batch, heads, length, size], got ", past.shape());
    const Tensors pair = unstack(past, {0});
    heads.keys = append(pair[0], heads.keys);
    heads.values = append(pair[1], heads.values);
  }
  const std::int32_t total = heads.keys.dim(2);
  Masking masking{.bias = add_optional(padding_bias(call, at.mask, x.dim(0), total), optional(call, at.bias)),
                  .is_causal = call.attrs().flag("unidirectional"),
                  .offset = total - x.dim(1)};
  const Attended found = attend(heads, masking, {read_scale(call, heads.queries.dim(3))});
  EdgeValues results{join_heads(found.output)};
  if (call.node().outputs > 1) results.emplace_back(stack({heads.keys, heads.values}, {0}));
  return results;
}

/// Attention of com.microsoft.
EdgeValues self_attention(const Call& call) {
  return packed_self_attention(call, call[0], call[1], {.mask = 3, .past = 4, .bias = 5});
}

/// QAttention: quantized inputs and weights, with one scale or one for each column.
EdgeValues quantized_attention(const Call& call) {
  return packed_self_attention(call, dequantize(call[0], call[3], optional(call, 6)),
                               dequantize(call[1], call[4], optional(call, 7)),
                               {.mask = 5, .past = 8, .bias = 9});
}

/// GroupQueryAttention: causal, and heads of queries share those of keys and values.
EdgeValues group_query(const Call& call) {
  const std::int32_t count = read_heads(call, "num_heads");
  const std::int32_t shared = read_heads(call, "kv_num_heads");
  Tensor q = call[0];
  Tensor k = optional(call, 1);
  Tensor v = optional(call, 2);
  check_shape(q.rank() == 3, "expected queries of rank 3, got ", q.shape());
  if (!k) {
    const std::int32_t size = q.dim(2) / (count + 2 * shared);
    const Tensors parts =
        split(q, {.sizes = std::vector<std::int32_t>{count * size, shared * size, shared * size}, .axis = 2});
    q = parts[0];
    k = parts[1];
    v = parts[2];
  }
  const std::int32_t batch = q.dim(0);
  const std::int32_t length = q.dim(1);
  const Tensor past = optional(call, 3);
  const std::int32_t offset = past ? past.dim(2) : 0;
  // Later tokens of shorter sequences would be inserted among the keys of the past.
  if (batch > 1 && offset > 0) {
    for (const std::int32_t last : call.integers(5))
      check(last + 1 == offset + length, "sequences of different lengths are not supported");
  }
  Heads heads{split_heads(q, count), split_heads(k, shared), split_heads(v, shared)};
  if (call.attrs().flag("do_rotary")) {
    Rotation rotation = slice_rotation(call[7], call[8], offset, length);
    if (has(call, 9)) {
      const Tensor positions = as_indices(call[9]);
      rotation.cosines = gather(call[7], positions, {.axis = 0});
      rotation.sines = gather(call[8], positions, {.axis = 0});
    }
    rotation.is_interleaved = call.attrs().flag("rotary_interleaved");
    heads.queries = rotate(heads.queries, rotation);
    heads.keys = rotate(heads.keys, rotation);
  }
  heads.keys = append(past, heads.keys);
  heads.values = append(optional(call, 4), heads.values);
  const Masking masking{.bias = optional(call, 10),
                        .is_causal = true,
                        .offset = offset,
                        .window = call.attrs().integer("local_window_size", -1)};
  Scoring scoring{read_scale(call, heads.queries.dim(3)),
                  static_cast<float>(call.attrs().number("softcap", 0))};
  if (const Tensor sinks = optional(call, 11)) {
    scoring.sinks = reshape(sinks, {Shape{count, 1, 1}});
  } else if (call.attrs().integer("smooth_softmax", 0) == 1) {
    scoring.sinks = Tensor::scalar(0.0F);
  }
  return {join_heads(attend(heads, masking, scoring).output), heads.keys, heads.values};
}

constexpr Row kRows[] = {{"Attention", standard_attention}};

constexpr Row kContribRows[] = {
    {"Attention", self_attention},
    {"GroupQueryAttention", group_query},
    {"MultiHeadAttention", multi_head},
    {"QAttention", quantized_attention},
};

}  // namespace

std::span<const Row> attention_rows() { return kRows; }
std::span<const Row> contrib_attention_rows() { return kContribRows; }

}  // namespace tenure::onnx
