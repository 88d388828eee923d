const kConstant = 'a number that TensorFlow.js exports';
const kMade = 'tf.train makes it, whose functions have examples';
const kPage = 'needs a page, its canvas, camera or microphone: tests/browser has them';
const kPlace =
  'says where the engine is loaded from, and that of a test is loaded: docs/loading.md has programs that are tried';

/** Exports without an example, with the reason. */
export const kWithout = {
  'tf.OnnxModel': 'loadOnnxModel() returns it',
  'tf.TFLiteModel': 'loadTFLiteModel() returns it',
  'tf.backend_util.PARALLELIZE_THRESHOLD': kConstant,
  'tf.backend_util.SELU_SCALEALPHA': kConstant,
  'tf.backend_util.SELU_SCALE': kConstant,
  'tf.backend_util.ERF_P': kConstant,
  'tf.backend_util.ERF_A1': kConstant,
  'tf.backend_util.ERF_A2': kConstant,
  'tf.backend_util.ERF_A3': kConstant,
  'tf.backend_util.ERF_A4': kConstant,
  'tf.backend_util.ERF_A5': kConstant,
  'tf.test_util.TEST_EPSILON_FLOAT16': kConstant,
  'tf.OP_SCOPE_SUFFIX': 'a part of a name',
  'tf.AdadeltaOptimizer': kMade,
  'tf.AdagradOptimizer': kMade,
  'tf.AdamOptimizer': kMade,
  'tf.AdamaxOptimizer': kMade,
  'tf.MomentumOptimizer': kMade,
  'tf.RMSPropOptimizer': kMade,
  'tf.SGDOptimizer': kMade,
  'tf.browser.draw': kPage,
  'tf.data.microphone': kPage,
  'tf.data.webcam': kPage,
  'tf.data.imageFolder': 'reads a folder of pictures, as tests/web/data/image_folder.test.mjs does',
  'tf.setWasmPath': kPlace,
  'tf.setWasmPaths': kPlace,
};
