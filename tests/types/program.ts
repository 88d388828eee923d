// Typical TensorFlow.js programs, under `strict`: they must compile against the published package.
import * as tf from 'tenure';
import createTenure, { type MainModule } from 'tenure/engine';
import { InferenceSession, Tensor as OnnxTensor } from 'tenure/ort';
import { env } from 'tenure/ort/wasm';
import * as tfjs from 'tenure/tfjs';
import { tensor1d, tidy, type Rank, type Tensor2D, type TensorContainer } from 'tenure';

interface Prediction {
  label: string;
  scores: tf.Tensor1D;
}

const labels: readonly string[] = ['setosa', 'versicolor', 'virginica'];

export function normalize(x: Tensor2D): Tensor2D {
  return tidy('normalize', () => {
    const mean: tf.Tensor = x.mean(0);
    const deviation = x.sub(mean).square().mean<tf.Tensor1D>(0).sqrt();
    return x.sub<Tensor2D>(mean).div<Tensor2D>(deviation.add(1e-7));
  });
}

export async function predict(url: string, rows: number[][], options?: tf.io.LoadOptions): Promise<Prediction[]> {
  const model: tf.LayersModel = await tf.loadLayersModel(url, options);
  const shape: Array<number | null> = model.inputs[0]!.shape;
  console.log(
    shape,
    model.layers.map((layer) => layer.name),
  );

  const scores = tf.tidy(() => {
    const x: Tensor2D = tf.tensor2d(rows, [rows.length, 4]);
    return model.predict(normalize(x)) as tf.Tensor2D;
  });
  const classes: tf.TypedArray = await scores.argMax(-1).data();
  const result = tf
    .unstack(scores)
    .map((row, i): Prediction => ({ label: labels[classes[i]!]!, scores: row as tf.Tensor1D }));
  tf.dispose([scores, model]);
  return result;
}

export function shapes(): TensorContainer {
  const scalar: tf.Scalar = tf.scalar(1);
  const vector: tf.Tensor1D = tensor1d([1, 2, 3], 'int32');
  const cube: tf.Tensor3D = tf.tensor3d([[[1], [2]]]);
  const image: tf.Tensor4D = tf.zeros([1, 8, 8, 3]);
  const any: tf.Tensor<tf.Rank> = tf.tensor([1, 2, 3, 4], [2, 2], 'float32');
  const typed: tf.Tensor<Rank.R2> = any.as2D(2, 2);
  const five: tf.Tensor5D = tf.ones([1, 1, 1, 1, 1]);
  const six: tf.Tensor6D = tf.ones([1, 1, 1, 1, 1, 1]);
  const [height, width]: [number, number] = typed.shape;
  const nested: number[][] = typed.arraySync();
  const values: Float32Array = typed.dataSync<'float32'>();
  const integers: Int32Array = vector.dataSync<'int32'>();
  const ranks: tf.ShapeMap[tf.Rank.R3] = cube.shape;
  const filtered = tf.conv2d(image, tf.randomNormal<tf.Rank.R4>([3, 3, 3, 2]), 1, 'same').relu();
  const pooled: tf.Tensor4D = image.resizeBilinear([4, 4]).maxPool(2, 2, 'same');
  console.log(height, width, nested, values, integers, ranks, pooled.shape);
  return { scalar, vector, cube, all: [filtered, five, six] };
}

/** A function of the types that programs name in their signatures. */
export function like(x: tf.Tensor | tf.TensorLike, dtype: tf.DataType = 'float32'): tf.Tensor {
  return tf.cast(x, dtype);
}
export function named(model: tf.InferenceModel, inputs: tf.NamedTensorMap): tf.Tensor {
  return model.predict(inputs, {}) as tf.Tensor;
}
export function flat<T extends tf.TensorContainer>(make: () => T): T {
  const before: tf.MemoryInfo = tf.memory();
  const made = tf.tidy(make);
  console.log(tf.memory().numTensors - before.numTensors);
  return tf.keep(made);
}
export function containers(x: tf.Tensor): tf.TensorContainer[] {
  const object: tf.TensorContainerObject = { x, nested: { y: x } };
  const array: tf.TensorContainerArray = [x, [x]];
  return [object, array, x, 1, 'text', undefined];
}
export async function timed(f: () => void): Promise<number> {
  const info: tf.TimingInfo = await tf.time(f);
  return info.kernelMs + info.wallMs;
}

export async function profiled(f: () => tf.Tensor): Promise<string[]> {
  const { kernels, kernelNames, peakBytes }: tf.ProfileInfo = await tf.profile(f);
  const slow: tf.KernelInfo[] = kernels.filter(({ kernelTimeMs }) => kernelTimeMs > 1);
  return [...kernelNames, ...slow.map(({ name }) => name), String(peakBytes)];
}
export function grown(f: () => void): tf.LiveTensor[] {
  const before: tf.Snapshot = tf.debug.snapshot();
  f();
  if (tf.debug.enabled) console.log(tf.debug.report({ by: 'scope' }));
  // @ts-expect-error Tensors are not grouped by their weight.
  tf.debug.report({ by: 'weight' });
  return [...tf.debug.diff(before, tf.debug.snapshot()).added];
}

export function owned(): number {
  using x = tf.tensor2d([[1, 2]]);
  using weights: tf.Variable = tf.variable(tf.zeros([2, 1]), true, 'weights', 'float32');
  using product = x.matMul(weights);
  const buffer: tf.TensorBuffer<tf.Rank.R2> = tf.buffer([1, 1]);
  buffer.set(1, 0, 0);
  weights.assign(tf.ones([2, 1]));
  return product.dataSync()[0]! + buffer.get(0, 0);
}

export function refuses(x: tf.Tensor2D): void {
  // @ts-expect-error A matrix is no vector.
  const vector: tf.Tensor1D = x;
  // @ts-expect-error There is no such type.
  tf.cast(x, 'float64');
  // @ts-expect-error tidy() wants a function.
  tf.tidy(x);
  // @ts-expect-error A name alone is not a function.
  tf.tidy('normalize');
  // @ts-expect-error The function comes last.
  tf.tidy(() => x, 'normalize');
  // @ts-expect-error A number holds no tensors.
  tf.dispose(5);
  // @ts-expect-error A string holds no tensors.
  tf.dispose('x');
  console.log(vector);
}

/** Internals that the declarations leave out. */
export function closed(
  model: tf.LayersModel,
  sequential: tf.Sequential,
  recurrent: tf.RNN,
  layer: tf.layers.Layer,
  weight: tf.LayerVariable,
): void {
  // @ts-expect-error The engine's handle.
  model.engineHandle();
  // @ts-expect-error Runs the layers one by one.
  model.run([], [], {});
  // @ts-expect-error True if a layer has a call hook.
  console.log(model.isHooked);
  // @ts-expect-error Releases a layer that failed to load.
  model.freeUnretained();
  // @ts-expect-error Part of a check of predict().
  model.assertNotDisposed();
  // @ts-expect-error The engine's handle.
  new tf.LayersModel({ inputs: model.inputs, outputs: model.outputs }, 1);
  // @ts-expect-error The engine's handle.
  sequential.engineHandle();
  // @ts-expect-error Finds the owner of a weight.
  recurrent.locate('kernel');
  // @ts-expect-error Frees the layer in the engine.
  recurrent.dropEngine();
  // @ts-expect-error Creates the weights that the engine has declared.
  recurrent.bindWeights();
  // @ts-expect-error The number of models that contain the layer.
  layer.retain();
  // @ts-expect-error Called by the variable.
  weight.variableDisposed();
}

/** Forms of tidy() and dispose() that the declarations of TensorFlow.js accept. */
export function forwarded<T extends tf.TensorContainer>(nameOrFn: string | (() => T), fn?: () => T): T {
  const result: T = tf.tidy(nameOrFn, fn);
  const declared: <U extends tf.TensorContainer>(nameOrFn: string | (() => U), fn?: () => U) => U = tf.tidy;
  const nothing: void = tf.tidy('nothing', () => {});
  const text: string = declared(() => tf.tidy<string>('text', () => 'x'));
  console.log(nothing, text);
  return result;
}
export function disposed(
  x: tf.Tensor,
  model: tf.LayersModel,
  all: tf.TensorContainer,
  any: any,
  some: tf.Tensor | number | undefined,
): void {
  tf.dispose(x);
  tf.dispose([x, model]);
  tf.dispose({ x, step: 1 });
  tf.dispose(new Map([['x', x]]));
  tf.dispose(all);
  tf.dispose(any);
  tf.dispose(some);
  tf.dispose(undefined);
  tf.dispose(null);
  [x].forEach(tf.dispose);
  const declared: (container: tf.TensorContainer) => void = tf.dispose;
  declared(x);
}
export function disposedIn<T extends tf.Tensor[], C extends tf.TensorContainer>(tensors: T, container: C): void {
  tf.dispose(tensors);
  tf.dispose<tf.TensorContainer>(container);
}

class Scale extends tf.layers.Layer {
  static className = 'Scale';
  private scale!: tf.LayerVariable;
  override build(inputShape: tf.Shape): void {
    this.scale = this.addWeight('scale', [inputShape.at(-1)!], 'float32', tf.initializers.ones());
  }
  override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
    const x = Array.isArray(inputs) ? inputs[0]! : inputs;
    return x.mul(this.scale.read());
  }
}

export function build(): tf.Sequential {
  const initial = tf.initializers.heNormal({ seed: 1 });
  const model = tf.sequential({
    layers: [tf.layers.dense({ units: 8, inputShape: [4], activation: 'relu', kernelInitializer: initial })],
  });
  model.add(tf.layers.dropout({ rate: 0.2 }));
  model.add(new Scale());
  const x: tf.SymbolicTensor = tf.input({ shape: [4] });
  const y = tf.layers
    .bidirectional({ layer: tf.layers.lstm({ units: 2 }) })
    .apply(tf.layers.repeatVector({ n: 3 }).apply(x) as tf.SymbolicTensor);
  const functional: tf.LayersModel = tf.model({ inputs: x, outputs: y as tf.SymbolicTensor });
  functional.summary(80, undefined, (line) => console.log(line));
  const [kernel] = model.getLayer('', 0).getWeights();
  console.log(kernel?.shape, functional.toJSON());
  return model;
}

/** Typical code of backend packages. */
export function register(): string {
  const made = tfjs.registerBackend('mine', () => new tfjs.MathBackendWebGL(), 3);
  tfjs.setWasmPaths({ 'tfjs-backend-wasm.wasm': '/a.wasm' });
  const sum: tf.Tensor = tfjs.engine().runKernel(tfjs.Add, { a: tf.scalar(1), b: tfjs.scalar(2) });
  return `${made} ${sum.dtype} ${tfjs.version['tfjs-converter']} ${tfjs.getThreadsCount()}`;
}

/** The loop over layers of typical programs: a layer is applied to a tensor or to a symbolic tensor. */
export function applied(
  model: tf.LayersModel,
  x: tf.Tensor | tf.Tensor[] | tf.SymbolicTensor | tf.SymbolicTensor[],
): tf.SymbolicTensor {
  for (const layer of model.layers) x = layer.apply(x);
  const cells = [tf.layers.lstmCell({ units: 2 }), tf.layers.gruCell({ units: 2 })];
  const sizes: Array<number | number[]> = cells.map(({ stateSize }) => stateSize);
  const stacked: number[] = tf.layers.stackedRNNCells({ cells }).stateSize;
  const options: tf.LSTMLayerArgs & tf.RNNLayerArgs = { units: 2, cell: cells, returnSequences: true, inputDim: 3 };
  const recurrent: tf.RNN[] = [tf.layers.rnn({ cell: cells }), tf.layers.lstm(options), tf.layers.gru({ units: 2 })];
  const lstm: tf.layers.LSTM = tf.layers.lstm(options);
  const states: (tf.Tensor | null)[] = lstm.states;
  const { kernelSize, seed }: { kernelSize: number[]; seed: number | undefined } = {
    ...tf.layers.conv2d({ filters: 2, kernelSize: 3 }),
    ...tf.layers.dropout({ rate: 0.5 }),
  };
  // @ts-expect-error A GRU is no LSTM.
  const other: tf.layers.LSTM = tf.layers.gru({ units: 2 });
  // @ts-expect-error The engine has made its layer of the fields.
  lstm.units = 3;
  console.log(
    [states, kernelSize, seed, other],
    sizes,
    stacked,
    recurrent.map(({ cell, returnSequences }) => [cell.stateSize, returnSequences]),
  );
  return recurrent[1]!.apply(x) as tf.SymbolicTensor;
}

type TheirActivation =
  | ('elu' | 'hardSigmoid' | 'linear' | 'relu' | 'relu6' | 'selu' | 'sigmoid' | 'softmax' | 'softplus')
  | ('softsign' | 'tanh' | 'swish' | 'mish' | 'gelu' | 'gelu_new');

export function configured(activation: TheirActivation, args: tf.SequentialArgs): tf.Sequential {
  const model = tf.sequential(args);
  model.add(tf.layers.permute({ dims: [2, 1], inputShape: [4, 3] }));
  model.add(tf.layers.flatten({ dataFormat: 'channelsFirst' }));
  model.add(tf.layers.dense({ units: 2, activation }));
  // @ts-expect-error There is no such activation.
  model.add(tf.layers.dense({ units: 2, activation: 'rellu' }));
  // @ts-expect-error Nor such a format.
  model.add(tf.layers.flatten({ dataFormat: 'channels' }));
  // @ts-expect-error A dimension has a number.
  model.add(tf.layers.permute({ dims: [null] }));
  return model;
}

/** Reads values as the type that the program knows them to have. */
export async function read(x: tf.Tensor): Promise<[Int32Array, Uint8Array, string[]]> {
  const integers = x.dataSync() as Int32Array;
  const bytes = (await x.data()) as Uint8Array;
  const texts: string[] = x.dataSync<'string'>();
  const numbers: Float32Array | Int32Array | Uint8Array = x.dataSync();
  console.log(numbers.length);
  return [integers, bytes, texts];
}

export async function fitted(model: tf.Sequential, video: HTMLVideoElement): Promise<tf.Tensor3D> {
  const xs = tf.data.array([[0], [1]]);
  const ys = tf.data.array([[1], [0]]);
  const pairs = tf.data.zip<{ xs: tf.Tensor2D; ys: tf.Tensor2D }>({ xs, ys });
  const batches: tf.data.Dataset<tf.TensorContainer> = pairs.batch(2);
  const weights: tf.ClassWeightMap = { a: { 0: 1, 1: 2 } };
  const args: tf.ModelFitDatasetArgs<tf.TensorContainer> = { epochs: 1, validationData: batches };
  await model.fitDataset(batches, args);
  await model.fit(tf.zeros([2, 1]), tf.zeros([2, 1]), { classWeight: weights });
  const camera = await tf.data.webcam(video);
  return camera.capture();
}

export async function loaded(url: string): Promise<tf.GraphModel> {
  const handler: tf.io.IOHandlerSync = { load: () => ({ weightSpecs: [] }) };
  const model: tf.GraphModel<tf.io.IOHandlerSync> = new tf.GraphModel(handler);
  const isLoaded: boolean = model.load();
  const other: tf.GraphModel<string> = new tf.GraphModel(url);
  const later: Promise<boolean> = other.load();
  console.log(isLoaded, await later);
  return tf.loadGraphModel(url);
}

/** A custom kernel. */
export function kernel(): tf.TensorInfo {
  const info: tf.TensorInfo = tf.tensor1d([1, 2]);
  const kernelFunc: tf.KernelFunc = ({ inputs }) => inputs['x'] as tf.TensorInfo;
  const setupFunc: tf.KernelSetupFunc = () => undefined;
  tf.registerKernel({ kernelName: 'Same', backendName: 'wasm', kernelFunc, setupFunc });
  const { dataId, shape, dtype } = info;
  return { dataId, shape, dtype };
}

/** A layer that is created from its configuration, as TensorFlow.js's documentation describes. */
class Doubled extends tf.layers.Layer {
  static className = 'Doubled';
  override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
    return (Array.isArray(inputs) ? inputs[0]! : inputs).mul(2);
  }
  static override fromConfig<T extends tf.serialization.Serializable>(
    cls: tf.serialization.SerializableConstructor<T>,
    config: tf.serialization.ConfigDict,
  ): T {
    return new cls(config);
  }
}
tf.serialization.registerClass(Doubled);

/** Uses the engine's module without the package's TypeScript. */
export async function scoresOf(wasmBinary: BufferSource, json: string, weights: Uint8Array): Promise<number[]> {
  const engine: MainModule = await createTenure({ wasmBinary });
  const model = engine.LayersModel.load(json, weights);
  const x = engine.tensor(Float32Array.of(5.1, 3.5, 1.4, 0.2), [1, 4]);
  const scores = engine.tidy(() => model.predict(x)[0]!) as number;
  const values: number[] = Array.from(engine.read(scores).values);
  for (const handle of [x, scores]) engine.dispose(handle);
  model.delete();
  return values;
}

/** A program written for onnxruntime-web. */
export async function probabilities(url: string, sound: Float32Array): Promise<Float32Array | undefined> {
  env.wasm.numThreads = 1;
  const session: InferenceSession = await InferenceSession.create(url, { executionProviders: ['wasm'] });
  const [name = 'input'] = session.inputNames;
  const results = await session.run({ [name]: new OnnxTensor('float32', sound, [1, sound.length]) });
  await session.release();
  const data = results['output']?.data;
  return data instanceof Float32Array ? data : undefined;
}
