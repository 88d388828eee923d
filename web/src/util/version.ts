/** The version of TensorFlow.js whose API this is. */
export const version_core = '4.22.0';
export const version_layers = version_core;

/** Versions by package, as programs print them. */
export const version = { tfjs: version_core, 'tfjs-core': version_core, 'tfjs-layers': version_layers, tenure: __VERSION__ };
