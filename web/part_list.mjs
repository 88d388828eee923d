// The parts of the engine. web/parts.mjs splits them off in this order; web/generate.mjs writes their names into
// web/src/generated/parts.ts and part_urls.ts, and their table into docs/loading.md.

/**
 * The parts by name. `contains` and `loaded` are for the documentation. A part has the functions that are defined in its `sources`,
 * and those whose mangled names match `names`, such as ops that wrap those sources: all host ops and gradients, and all composed ops
 * except a few that programs begin with. `needs`: parts that are loaded before it, with those that these need. They have what both
 * call and the data that both read.
 */
export const kParts = {
  relaxed: {
    contains: 'faster kernels, with relaxed SIMD',
    loaded: 'by functions that load models, and once large ops have taken 20 ms',
    // Quick builds, which have no such kernels, contain only "undefined_weak:" and a name.
    names: /^_Z\w*1[12](?:cpu|simd)_relaxed/,
    needs: ['models'],
    // Its functions are called only after it was loaded, so that it needs no placeholders, and a build may lack it.
    isOptional: true,
  },
  onnx_rare: {
    contains: 'ONNX ops that few models have, such as those of recurrent layers, loops, signals, sequences and trees',
    loaded: 'by `loadOnnxModel()`, for a model that has such an op',
    sources: /import\/onnx\/rare_rows\/|model\/executor\/containers\.cpp/,
    needs: ['onnx'],
    hasRows: true,
  },
  onnx_quant: {
    contains: 'ONNX ops of quantized models',
    loaded: 'by `loadOnnxModel()`, for a model that has such an op',
    sources: /import\/onnx\/quantized_rows\//,
    needs: ['onnx', 'quant'],
    hasRows: true,
  },
  onnx_transformer: {
    contains: 'ONNX ops of attention, and caches of keys and values',
    loaded: 'by `loadOnnxModel()`, for a model that has such an op or may have such a cache',
    sources: /import\/onnx\/transformer_rows\/|core\/memory\/growing_rows\.cpp/,
    needs: ['onnx'],
    hasRows: true,
  },
  onnx: {
    contains: 'ONNX models',
    loaded: 'by `loadOnnxModel()`',
    sources: /import\/onnx\/|wasm\/calls\/onnx|\/(?:cpu\/elementwise|ops\/math)\/checked_arithmetic/,
    needs: ['files'],
    // Its functions in the table are rows of an importer.
    hasRows: true,
  },
  tflite_rare: {
    contains: 'TensorFlow Lite ops that few models have, such as recurrent layers, control flow, variables and strings',
    loaded:
      'by `loadTFLiteModel()`, for a model that has such an op, strings, sparse tensors or convolutions that are dilated or in ' +
      'groups, and with the option `signature`',
    sources: /import\/tflite\/rare\/|wasm\/tflite_json|core\/memory\/sparse_weight|cpu\/conv\/sparse_conv/,
    needs: ['tflite'],
    hasRows: true,
  },
  tflite: {
    contains: 'TensorFlow Lite models',
    loaded: 'by `loadTFLiteModel()`',
    sources: /import\/tflite\/|wasm\/calls\/tflite/,
    needs: ['quant_conv', 'half', 'files'],
    hasRows: true,
  },
  files: {
    contains: 'what ONNX and TensorFlow Lite models have in common',
    loaded: 'by `loadOnnxModel()` and `loadTFLiteModel()`',
    sources: /model\/files\/raw_elements|core\/memory\/narrow_integers\.cpp/,
    needs: ['graph'],
  },
  half: {
    contains: 'products with weights in float16',
    loaded: 'by `loadTFLiteModel()`, and by `loadOnnxModel()` for a model with such weights',
    sources: /\/cpu\/quant\/half_/,
    needs: ['graph'],
  },
  quant_conv: {
    contains: 'convolutions with weights in 8 bits',
    loaded: 'by `loadTFLiteModel()`, and by `loadOnnxModel()` for a quantized model with convolutions',
    sources: /\/cpu\/quant\/(?:conv2d|depthwise)_integer/,
    needs: ['quant'],
  },
  quant: {
    contains: 'products with weights in 4 and 8 bits',
    loaded: 'by `loadTFLiteModel()`, and by `loadOnnxModel()` for a quantized model',
    sources: /\/(?:cpu|ops)\/quant\//,
    needs: ['graph'],
  },
  graph: {
    contains: 'graph models',
    loaded: 'by `loadGraphModel()`, `loadOnnxModel()` and `loadTFLiteModel()`',
    sources: /import\/(?:graphdef|onnx|tflite)\/|model\/executor\/|wasm\/(?:calls\/(?:graph|onnx|tflite)|tflite_json)/,
    needs: ['models', 'extra'],
    hasRows: true,
  },
  webgl: {
    contains: 'the WebGL2 backend',
    loaded: "with the engine in a page that has a GPU; otherwise by `setBackend('webgl')`",
    sources: /\/gl\/|wasm\/gl_bindings|wasm\/calls\/pixel/,
    needs: ['gpu'],
  },
  webgpu: {
    contains: 'the WebGPU backend',
    loaded: "by `setBackend('webgpu')`",
    sources: /\/webgpu\/|wasm\/webgpu_bindings/,
    // Destructors, which otherwise stay, as other classes may share their code.
    names: /^_ZNSt3__220__shared_ptr_emplaceIN6tenure6webgpu/,
    needs: ['gpu'],
    // Its functions in the table are kernels, and what setBackend() calls after it was loaded.
    hasRows: true,
  },
  gpu: {
    contains: 'what both GPU backends need',
    loaded: 'with either',
    sources: /\/shader_util\/|wasm\/calls\/device/,
  },
  text: {
    contains: 'ops on strings, ragged tensors and sparse tensors',
    loaded: 'by the first of these ops, and by `loadOnnxModel()` for a model with strings',
    sources: /ops\/text\//,
    needs: ['extra'],
  },
  models: {
    contains: 'layers and models',
    loaded: 'in the background, as soon as ops can run',
    isPreloaded: true,
    // Graph models of images resize them, and should not wait for a module that they do not need otherwise. Fast
    // convolutions and chains of ops on many floats are what models run; before, an op that needs them loads the part.
    sources:
      /cpp\/(?:model|import)\/|core\/memory\/(?:half_floats|scaled_weight|transposed_filter)\.cpp|cpu\/\w+\/(?:conv_transpose|fused_conv|packed_weight|prepare|warm_up|winograd\w*|chain)\.cpp|\/(?:cpu|ops)\/image\/resize\.cpp|wasm\/calls\/layer/,
    names:
      /9depthwise12_GLOBAL__N_1(?:9edge_tile|11inner_tiles)ILi5|^_ZN6tenure4lazy8evaluate|^_ZNK6tenure9LazyChain3run/,
  },
  extra: {
    contains: 'gradients, training, and ops that few programs use',
    loaded: 'in the background, as soon as ops can run',
    isPreloaded: true,
    sources:
      /wasm\/tensor_exports|\/(optimizer|complex|scan|scatter|sort|fft|einsum|image_transform|image)\.cpp|train|gradient|backward|_backprop/,
    names:
      /^_Z(?:NSt3__210__function6__funcIZ)?N6tenure4grad|^__rem_pio2_large$|^_ZN6tenure3cpu12random_gamma|^_ZN6tenure3cpu20unsorted_segment_sum|_GLOBAL__N_1.*6Mul[FI]32E|11log_softmaxERKNS_10KernelArgs|unary_(?:a?sinh|a?cosh|atanh?|asin|acos|tan|erf|gelu|gelu_new|mish|log_sigmoid|log1p|expm1|selu|softplus)E|binary_(?:atan2|pow|mod)E|^_ZN6tenure12_GLOBAL__N_1(?:9host_with|12move_strings)|^_ZN6tenure5infer\d+(?:unsorted_segment_sum|\w+_backprop_\w+)E|^_ZN6tenure12_GLOBAL__N_1\d+compose_(?!stackE|unstackE|splitE|topkE|dotE|add_and_activateE|add_nE|conjE|normE)/,
  },
};

/** Returns the parts that a part needs, and those that these need. */
export function needsOf(part) {
  return [...new Set((kParts[part].needs ?? []).flatMap((other) => [other, ...needsOf(other)]))];
}

/** Returns the name of a part's file. */
export const fileOf = (part) => `tenure.${part}.wasm`;
