// The engine with the members that packages for TensorFlow.js access.
import * as tf from '../index.js';
import { keep } from './keep.js';
import { findBackend, findBackendFactory, getBackend, registerBackend, removeBackend, setBackend } from './registry.js';
import { allUnsupported } from './unsupported.js';

const kOwn = "the engine's tensors are made by ops of tf, and freed by dispose()";

/** Members of TensorFlow.js's engine that Tenure's `tf.engine()` lacks. */
const additions = {
  registerBackend,
  removeBackend,
  setBackend,
  findBackend,
  findBackendFactory,
  get backendName() {
    return getBackend();
  },
  backendNames: () => Object.keys(tf.engine().registryFactory),
  ready: tf.ready,
  keep,
  customGrad: tf.customGrad,
  profile: tf.profile,
  time: tf.time,
  clone: tf.clone,
  disposeVariables: tf.disposeVariables,
  disposeTensor: tf.dispose,
  disposeVariable: tf.dispose,
  /**
   * Returns a tensor of values.
   * @param values Values in row-major order.
   * @param shape Shape.
   * @param dtype Type of the elements: float32 by default.
   */
  makeTensor: (values: tf.TensorLike, shape: number[], dtype: tf.DataType = 'float32') =>
    tf.tensor(values, shape, dtype),
  makeVariable: tf.variable,
  readSync: (tensor: tf.Tensor) => tensor.dataSync(),
  read: (tensor: tf.Tensor) => tensor.data(),
  /**
   * Runs `f` between `start` and `end`. Calls `end` even if `f` throws.
   * @param start Called first.
   * @param end Called last, even if `f` throws.
   * @param f Function to run.
   */
  scopedRun<T>(start: () => void, end: () => void, f: () => T): T {
    start();
    try {
      return f();
    } finally {
      end();
    }
  },
  /**
   * Returns the value of a function and its gradients.
   * @param f Function of which the value is differentiated.
   * @param xs Tensors to differentiate with respect to.
   * @param dy Weight of the value: 1 by default.
   */
  gradients(f: () => tf.Scalar, xs: tf.Tensor[], dy?: tf.Tensor) {
    return tf.valueAndGrads(f)(xs, dy as tf.Scalar);
  },
  /** Disposes all variables. Other tensors have owners, which free them. */
  reset: tf.disposeVariables,
  get registry(): Record<string, tf.BackendInfo> {
    return { [getBackend()]: tf.backend() };
  },
  get ENV() {
    return tf.env();
  },
  ...allUnsupported(
    'engine()',
    `makeTensorFromDataId makeTensorFromTensorInfo moveData trackTensor incRef removeDataId addTapeNode startTape endTape
    nextTensorId nextVariableId runKernelFunc readToGPU`,
    kOwn,
  ),
};

/** The global engine. */
export const ENGINE = Object.create(tf.engine(), Object.getOwnPropertyDescriptors(additions)) as tf.Engine &
  typeof additions;

/** Returns the global engine. */
export function engine(): typeof ENGINE {
  return ENGINE;
}
