// The settings of @tensorflow/tfjs-backend-wasm.
import * as tf from '../index.js';

/** Sets where Tenure's own files are. Paths of TensorFlow.js's files are ignored, as Tenure brings its own. */
export function setWasmPaths(prefixOrFileMap: string | Record<string, string>, _usePlatformFetch?: boolean): void {
  if (typeof prefixOrFileMap === 'object' && 'tenure.wasm' in prefixOrFileMap) tf.setWasmPaths(prefixOrFileMap);
}

/** Does nothing: TensorFlow.js's file is not used. */
export function setWasmPath(_path: string, _usePlatformFetch?: boolean): void {}
