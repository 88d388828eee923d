// TensorFlow.js on WebAssembly, as its documentation imports it.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { ready, setBackend } from '@tensorflow/tfjs-core';

export * from '@tensorflow/tfjs-core';
export { loadLayersModel } from '@tensorflow/tfjs-layers';
export { getThreadsCount } from '@tensorflow/tfjs-backend-wasm';

setWasmPaths('./');
await setBackend('wasm');
await ready();
