import { useTestPackages } from '../../cpp/toolchain/use.mjs';

/** Installs the packages with models, and onnxruntime-web, if they are missing or older than their lock file. */
export function prepareModels() {
  useTestPackages('tests/onnx');
}
