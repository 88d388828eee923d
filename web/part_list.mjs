// The parts of the engine. web/parts.mjs splits them off in this order; web/generate.mjs writes their names into
// web/src/generated/parts.ts and part_urls.ts, and their table into docs/loading.md.

/**
 * The parts by name. `contains` and `loaded` are for the documentation. A part has the functions that are defined in its `sources`,
 * and those whose mangled names match `names`, such as ops that wrap those sources: all host ops and gradients, and all composed ops
 * except a few that programs begin with. `needs`: parts that are loaded with it, which have what both call.
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
    contains: 'ONNX ops that few models have, such as those of recurrent layers, signals and sequences',
    loaded: 'by `loadOnnxModel()`, for a model that has such an op',
    sources: /import\/onnx\/rare_rows\//,
    needs: ['onnx', 'quant', 'graph', 'models', 'extra'],
    hasRows: true,
  },
  onnx: {
    contains: 'ONNX models',
    loaded: 'by `loadOnnxModel()`',
    sources: /import\/onnx\/|wasm\/calls\/onnx/,
    needs: ['quant', 'graph', 'models', 'extra'],
    // Its functions in the table are rows of an importer.
    hasRows: true,
  },
  tflite: {
    contains: 'TensorFlow Lite models',
    loaded: 'by `loadTFLiteModel()`',
    sources: /import\/tflite\/|wasm\/calls\/tflite/,
    needs: ['quant', 'graph', 'models', 'extra'],
    hasRows: true,
  },
  quant: {
    contains: 'products with weights in 4 and 8 bits',
    loaded: 'by `loadOnnxModel()` and `loadTFLiteModel()`',
    sources: /\/(?:cpu|ops)\/quant\//,
    needs: ['graph', 'models', 'extra'],
  },
  graph: {
    contains: 'graph models',
    loaded: 'by `loadGraphModel()`, `loadOnnxModel()` and `loadTFLiteModel()`',
    sources:
      /import\/(?:graphdef|onnx|tflite)\/|model\/(?:executor\/|files\/raw_elements)|core\/memory\/narrow_integers\.cpp|wasm\/calls\/(?:graph|onnx|tflite)/,
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
    needs: ['gpu'],
    // Its functions in the table are kernels, and what setBackend() calls after it was loaded.
    hasRows: true,
  },
  gpu: {
    contains: 'what both GPU backends need',
    loaded: 'with either',
    sources: /\/shader_util\/|wasm\/calls\/device/,
  },
  models: {
    contains: 'layers and models',
    loaded: 'in the background, as soon as ops can run',
    isPreloaded: true,
    // Graph models of images resize them, and should not wait for a module that they do not need otherwise.
    sources:
      /cpp\/(?:model|import)\/|core\/memory\/scaled_weight\.cpp|cpu\/\w+\/(?:conv_transpose|fused_conv|packed_weight|prepare|warm_up)\.cpp|\/(?:cpu|ops)\/image\/resize\.cpp|wasm\/calls\/layer/,
  },
  extra: {
    contains: 'gradients, training, and ops that few programs use',
    loaded: 'in the background, as soon as ops can run',
    isPreloaded: true,
    sources:
      /wasm\/tensor_exports|\/(optimizer|complex|scan|scatter|sort|ragged|sparse|fft|einsum|image_transform|image)\.cpp|ops\/text\/strings|train|gradient|backward|_backprop/,
    names:
      /^_Z(?:NSt3__210__function6__funcIZ)?N6tenure4grad|^__rem_pio2_large$|^_ZN6tenure3cpu12random_gamma|^_ZN6tenure3cpu20unsorted_segment_sum|_GLOBAL__N_1.*6Mul[FI]32E|11log_softmaxERKNS_10KernelArgs|unary_(?:a?sinh|a?cosh|atanh?|asin|acos|tan|erf|gelu|gelu_new|mish|log_sigmoid|log1p|expm1|selu|softplus)E|binary_(?:atan2|pow|mod)E|^_ZN6tenure12_GLOBAL__N_1(?:9host_with|12move_strings)|^_ZN6tenure5infer\d+(?:unsorted_segment_sum|\w+_backprop_\w+)E|^_ZN6tenure12_GLOBAL__N_1\d+compose_(?!stackE|unstackE|splitE|topkE|dotE|add_and_activateE|add_nE|conjE|normE)/,
  },
};

/** Returns the name of a part's file. */
export const fileOf = (part) => `tenure.${part}.wasm`;
