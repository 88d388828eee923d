// The settings of @tensorflow/tfjs-backend-wasm.
import * as tf from '../index.js';

/** Says where Tenure's own files are; what is said of TensorFlow.js's is not needed, as Tenure brings its own. */
export function setWasmPaths(prefixOrFileMap: string | Record<string, string>, _usePlatformFetch?: boolean): void {
  if (typeof prefixOrFileMap === 'object' && 'tenure.wasm' in prefixOrFileMap) tf.setWasmPaths(prefixOrFileMap);
}

/** Nothing: the file of TensorFlow.js is not needed. */
export function setWasmPath(_path: string, _usePlatformFetch?: boolean): void {}
