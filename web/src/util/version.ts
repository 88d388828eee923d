/**
 * The version of TensorFlow.js whose API this is.
 * @example
 * tf.version_core; // '4.22.0'
 */
export const version_core = '4.22.0';
/**
 * The version of TensorFlow.js whose layers these are.
 * @example
 * tf.version_layers; // '4.22.0'
 */
export const version_layers = version_core;

/**
 * Versions by package, as programs print them.
 * @example
 * tf.version.tfjs; // '4.22.0'
 */
export const version = {
  tfjs: version_core,
  'tfjs-core': version_core,
  'tfjs-layers': version_layers,
  tenure: __VERSION__,
};
