// Custom kernels, as TensorFlow.js registers them: functions in JavaScript, which engine().runKernel() calls by name. Tenure's
// built-in kernels are compiled to WebAssembly: they cannot be replaced, and another backend cannot be added.
import { backend, backendNames, getBackend, type BackendInfo } from './device/backend.js';
import { opInputs, opNames } from './generated/ops.js';
import { call } from './ops/call.js';
import { cast } from './ops/math/cast.js';
import { kernelNames, getKernelOp } from './ops/kernel_names.js';
import { clone, reshape } from './ops/movement/reshape.js';
import { tidy } from './owner/scope.js';
import type { DataType } from './runtime/types.js';
import { createTensor, type Values } from './tensor/create.js';
import { Tensor, type DataId } from './tensor/tensor.js';
import { customGrad } from './train/custom_grad.js';
import { sizeFromShape } from './util/shape.js';
import { flattenValues } from './util/values.js';

/** A tensor as kernels receive and return it. */
export interface TensorInfo {
  /** Id of the tensor's data, for the functions of KernelBackend. */
  dataId: DataId;
  /** Shape of the tensor. */
  shape: number[];
  /** Element type of the tensor. */
  dtype: DataType;
}
/** The inputs of a kernel by name. */
export type NamedTensorInfoMap = Record<string, TensorInfo | TensorInfo[] | undefined>;
/** The attributes of a kernel by name. */
export type NamedAttrMap = Record<string, unknown>;

/** The functions of the engine that a custom kernel can call. */
export interface KernelBackend extends BackendInfo {
  /** Returns the values of a tensor. */
  readSync(dataId: DataId): ReturnType<Tensor['dataSync']>;
  /** Resolves to the values of a tensor. */
  read(dataId: DataId): ReturnType<Tensor['data']>;
  /**
   * Returns a new tensor with the given values, or of zeros.
   * @param shape Shape.
   * @param dtype Type of the elements.
   * @param values Values in row-major order: zeros by default.
   */
  makeTensorInfo(shape: number[], dtype: DataType, values?: Values): TensorInfo;
  /**
   * Returns a new tensor with the given values.
   * @param values Values in row-major order.
   * @param shape Shape.
   * @param dtype Type of the elements.
   */
  makeOutput(values: Values, shape: number[], dtype: DataType): TensorInfo;
  /**
   * Returns the data id of a new tensor with the given values.
   * @param values Values in row-major order.
   * @param shape Shape.
   * @param dtype Type of the elements.
   */
  write(values: Values, shape: number[], dtype: DataType): DataId;
  /** Disposes a tensor and returns true. */
  disposeData(dataId: DataId): boolean;
  /** Disposes a tensor. */
  disposeIntermediateTensorInfo(info: TensorInfo): void;
}

/** A custom kernel: computes one output, or several, from inputs and attributes. */
export type KernelFunc = (params: {
  /** Inputs by name. */
  inputs: NamedTensorInfoMap;
  /** Functions of the engine. */
  backend: KernelBackend;
  /** Attributes by name. */
  attrs?: NamedAttrMap;
}) => TensorInfo | TensorInfo[];

/** A function that registerKernel() calls. */
export type KernelSetupFunc = (backend: KernelBackend) => void;
/** A function that TensorFlow.js calls when a backend is removed. Tenure's backends are never removed. */
export type KernelDisposeFunc = KernelSetupFunc;

/** The argument of registerKernel(). */
export interface KernelConfig {
  /** Name of the kernel, for engine().runKernel(). */
  kernelName: string;
  /** Name of the backend that the kernel runs on. */
  backendName: string;
  /** Computes the kernel. */
  kernelFunc: KernelFunc;
  /** Called when the kernel is registered. */
  setupFunc?: KernelSetupFunc;
  /** Never called, since Tenure's backends are not removed. */
  disposeFunc?: KernelDisposeFunc;
}

/** A gradient: returns functions that compute the gradients of a kernel's inputs, by name, from that of its output, `dy`. */
export type GradFunc = (dy: Tensor, saved: Tensor[], attrs: NamedAttrMap) => Record<string, () => Tensor>;

/** The argument of registerGradient(). */
export interface GradConfig {
  /** Name of the kernel. */
  kernelName: string;
  /** Names of the inputs to pass to `gradFunc` as `saved`. */
  inputsToSave?: string[];
  /** True to pass all inputs to `gradFunc` as `saved`. */
  saveAllInputs?: boolean;
  /** True for each output to pass to `gradFunc` as `saved`, after the inputs. */
  outputsToSave?: boolean[];
  /** Computes the gradients of the inputs. */
  gradFunc: GradFunc;
}

const kernels = new Map<string, KernelConfig>();
const gradients = new Map<string, GradConfig>();
const getRegistryKey = (kernelName: string, backendName: string) => `${backendName}_${kernelName}`;

/** Returns the built-in kernels of a backend as entries of TensorFlow.js's registry. */
function builtInKernels(backendName: string): KernelConfig[] {
  if (!backendNames().includes(backendName)) return [];
  return kernelNames().map((kernelName) => ({
    kernelName,
    backendName,
    kernelFunc: ({ inputs, attrs }) =>
      runBuiltIn(kernelName, inputs as Record<string, Tensor | Tensor[] | undefined>, attrs ?? {}),
  }));
}

function assertNotBuiltIn(kernelName: string): void {
  if (getKernelOp(kernelName) === -1) return;
  throw new Error(`The kernel '${kernelName}' is built into Tenure and cannot be replaced.`);
}

/**
 * Registers a custom kernel, which engine().runKernel() calls by name. Warns if the kernel is registered already. Throws for the
 * name of a built-in kernel.
 * @example
 * const kernelFunc = ({ backend }) => backend.makeTensorInfo([], 'float32', new Float32Array([42]));
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc });
 * tf.engine().runKernel('Answer', {}); // 42
 * tf.unregisterKernel('Answer', 'wasm');
 */
export function registerKernel(config: KernelConfig): void {
  const { kernelName, backendName } = config;
  assertNotBuiltIn(kernelName);
  const key = getRegistryKey(kernelName, backendName);
  if (kernels.has(key)) console.warn(`The kernel '${kernelName}' for backend '${backendName}' is already registered`);
  kernels.set(key, config);
  config.setupFunc?.(kernelBackend());
}

/**
 * Removes a custom kernel. Throws if it is not registered.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc: () => [] });
 * tf.unregisterKernel('Answer', 'wasm');
 * tf.getKernel('Answer', 'wasm'); // undefined
 */
export function unregisterKernel(kernelName: string, backendName: string): void {
  const key = getRegistryKey(kernelName, backendName);
  if (!kernels.delete(key))
    throw new Error(`The kernel '${kernelName}' for backend '${backendName}' is not registered`);
}

/**
 * Returns a custom kernel, or undefined if it is not registered.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'wasm', kernelFunc: () => [] });
 * tf.getKernel('Answer', 'wasm').kernelName; // 'Answer'
 * tf.unregisterKernel('Answer', 'wasm');
 */
export function getKernel(kernelName: string, backendName: string): KernelConfig | undefined {
  return kernels.get(getRegistryKey(kernelName, backendName));
}

/**
 * Returns the kernels of a backend, built-in and custom ones.
 * @example
 * tf.getKernelsForBackend('wasm').some(({ kernelName }) => kernelName === 'Conv2D'); // true
 */
export function getKernelsForBackend(backendName: string): KernelConfig[] {
  return [...builtInKernels(backendName), ...registeredFor(backendName)];
}

function registeredFor(backendName: string): KernelConfig[] {
  return [...kernels.values()].filter((config) => config.backendName === backendName);
}

/**
 * Registers the custom kernels of a backend for another backend too.
 * @example
 * tf.registerKernel({ kernelName: 'Answer', backendName: 'mine', kernelFunc: () => [] });
 * tf.copyRegisteredKernels('mine', 'other');
 * tf.getKernel('Answer', 'other').backendName; // 'other'
 * for (const backend of ['mine', 'other']) tf.unregisterKernel('Answer', backend);
 */
export function copyRegisteredKernels(registeredBackendName: string, newBackendName: string): void {
  for (const config of registeredFor(registeredBackendName)) registerKernel({ ...config, backendName: newBackendName });
}

/**
 * Registers the gradient of a custom kernel. Throws for the name of a built-in kernel.
 * @example
 * tf.registerGradient({ kernelName: 'Answer', gradFunc: (dy) => ({ x: () => dy }) });
 * tf.getGradient('Answer').kernelName; // 'Answer'
 * tf.unregisterGradient('Answer');
 */
export function registerGradient(config: GradConfig): void {
  assertNotBuiltIn(config.kernelName);
  gradients.set(config.kernelName, config);
}

/**
 * Returns the registered gradient of a custom kernel, or undefined if there is none.
 * @example
 * tf.getGradient('Answer'); // undefined
 */
export function getGradient(kernelName: string): GradConfig | undefined {
  return gradients.get(kernelName);
}

/**
 * Removes the gradient of a custom kernel. Throws if it is not registered.
 * @example
 * tf.registerGradient({ kernelName: 'Answer', gradFunc: (dy) => ({ x: () => dy }) });
 * tf.unregisterGradient('Answer');
 * tf.getGradient('Answer'); // undefined
 */
export function unregisterGradient(kernelName: string): void {
  if (!gradients.delete(kernelName)) throw new Error(`The gradient '${kernelName}' for backend is not registered`);
}

/**
 * Throws, because backends cannot be added: Tenure computes on 'wasm', 'webgl' and 'webgpu'.
 * @example
 * tf.registerBackend('mine'); // throws Error: The backend 'mine' cannot be registered: Tenure has only 'wasm', 'webgl' and 'webgpu'.
 */
export function registerBackend(name: string): boolean {
  throw new Error(`The backend '${name}' cannot be registered: Tenure has only 'wasm', 'webgl' and 'webgpu'.`);
}

/**
 * Throws, because Tenure's backends cannot be removed.
 * @example
 * tf.removeBackend('wasm'); // throws Error: The backend 'wasm' is built into Tenure and cannot be removed.
 */
export function removeBackend(name: string): void {
  throw new Error(`The backend '${name}' is built into Tenure and cannot be removed.`);
}

/**
 * Returns the backend of this name if ops run on it, else null.
 * @example
 * tf.findBackend('nobody'); // null
 */
export function findBackend(name: string): BackendInfo | null {
  return name === getBackend() ? backend() : null;
}

/**
 * Returns a function that returns the backend, or null if no backend of this name is available.
 * @example
 * tf.findBackendFactory('wasm') !== null; // true
 */
export function findBackendFactory(name: string): (() => BackendInfo) | null {
  return backendNames().includes(name) ? backend : null;
}

/**
 * Runs a kernel by name and returns its output or outputs. Throws if there is no such kernel, and for a built-in kernel with
 * attributes.
 * @param kernelName name of a custom kernel of the current backend, or of a built-in kernel without attributes
 * @param inputs the inputs by name; those of a built-in kernel are in the order of the op's arguments
 * @param attrs the attributes of a custom kernel
 */
export function runKernel<T extends Tensor | Tensor[]>(
  kernelName: string,
  inputs: Record<string, Tensor | Tensor[] | undefined>,
  attrs: NamedAttrMap = {},
): T {
  const kernel = getKernel(kernelName, getBackend());
  if (!kernel) return runBuiltIn(kernelName, inputs, attrs) as T;
  // A list input has its gradients by index.
  const entries = Object.entries(inputs).flatMap(([name, x]) =>
    Array.isArray(x) ? x.map((one, i) => [`${i}`, one] as const) : x ? [[name, x] as const] : [],
  );
  for (const [, x] of entries) rememberTensor(x);
  const gradient = gradients.get(kernelName);
  // A kernel that returns an input returns another handle on it.
  const output = (info: TensorInfo) => (entries.some(([, x]) => x === info) ? clone(info as Tensor) : toTensor(info));
  const run = () => {
    const result = kernel.kernelFunc({ inputs, attrs, backend: kernelBackend() });
    return Array.isArray(result) ? result.map(output) : output(result);
  };
  if (!gradient) return tidy(kernelName, run) as T;
  const differentiable = customGrad((...args) => {
    const save = args[args.length - 1] as (tensors: Tensor[]) => void;
    const outputs = [run()].flat();
    if (outputs.length !== 1) throw new Error(`The kernel '${kernelName}' has a gradient, and must have one output.`);
    const saved = entries
      .filter(([name]) => gradient.saveAllInputs || gradient.inputsToSave?.includes(name))
      .map(([, x]) => x);
    saved.push(...outputs.filter((_, i) => gradient.outputsToSave?.[i]));
    save(saved);
    return {
      value: outputs[0]!,
      gradFunc: (dy: Tensor, kept: Tensor[]) => {
        const found = gradient.gradFunc(dy, kept, attrs);
        return entries.map(([name]) => {
          if (found[name]) return found[name]();
          throw new Error(`Cannot backprop through input ${name}. Available gradients found: ${Object.keys(found)}.`);
        });
      },
    };
  });
  return differentiable(...entries.map(([, x]) => x)) as T;
}

/** True if an op accepts `count` input tensors. */
function acceptsInputCount(op: number, count: number): boolean {
  const inputs = opInputs[op]!.split(' ');
  const isList = inputs.some((input) => input.includes('...'));
  return isList ? count >= inputs.length : count === inputs.length;
}

function runBuiltIn(
  kernelName: string,
  inputs: Record<string, Tensor | Tensor[] | undefined>,
  attrs: NamedAttrMap,
): Tensor {
  const op = getKernelOp(kernelName);
  const given = Object.values(inputs).flat() as Tensor[];
  if (op === -1) throw new Error(`Kernel '${kernelName}' not registered for backend '${getBackend()}'`);
  if (Object.keys(attrs).length > 0 || !acceptsInputCount(op, given.length)) {
    throw new Error(`The kernel '${kernelName}' is built into Tenure: call tf.${opNames[op]}().`);
  }
  return call(op, given);
}

/** The tensors that kernels have received or made. */
const tensorsByDataId = new WeakMap<DataId, Tensor>();

function rememberTensor(tensor: Tensor): Tensor {
  tensorsByDataId.set(tensor.dataId, tensor);
  return tensor;
}

function findTensor(dataId: DataId): Tensor {
  const tensor = tensorsByDataId.get(dataId);
  if (!tensor) throw new Error('The tensor is neither an input of the kernel nor created by its backend.');
  return tensor;
}

function toTensor(info: TensorInfo): Tensor {
  if (info instanceof Tensor) return info as Tensor;
  return cast(reshape(findTensor(info.dataId), info.shape), info.dtype);
}

function kernelBackend(): KernelBackend {
  const makeTensorInfo = (shape: number[], dtype: DataType, values?: Values): TensorInfo => {
    const size = sizeFromShape(shape);
    const given = values ?? flattenValues(new Array<number>(size).fill(0), [size], dtype);
    return rememberTensor(createTensor(given, shape, dtype));
  };
  return {
    ...backend(),
    readSync: (dataId) => findTensor(dataId).dataSync(),
    read: (dataId) => findTensor(dataId).data(),
    makeTensorInfo,
    makeOutput: (values, shape, dtype) => makeTensorInfo(shape, dtype, values),
    write: (values, shape, dtype) => makeTensorInfo(shape, dtype, values).dataId,
    disposeData: (dataId) => {
      findTensor(dataId).dispose();
      return true;
    },
    disposeIntermediateTensorInfo: ({ dataId }) => findTensor(dataId).dispose(),
  };
}
