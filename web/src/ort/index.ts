// `tenure/ort`: the exports of onnxruntime-web and onnxruntime-node 1.30, over Tenure's engine. The classes are onnxruntime-common's
// own, so that tensors and sessions of programs that import it are instances of the same classes.
import * as ort from 'onnxruntime-common';
import { registerProviders, setVersion } from './backend.js';

export * from 'onnxruntime-common';
export { listSupportedBackends } from './backend.js';
export default ort;

registerProviders();
setVersion();
