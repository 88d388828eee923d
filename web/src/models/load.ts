import { noteCall, runAsCalled } from '../debug/ledger.js';
import type { LoadOptions, ModelArtifacts, ModelSource } from '../io/types.js';
import { resolveArtifacts } from '../io/resolve.js';
import { decodeWeights, loadWeights } from '../io/weights.js';
import { loadForModels } from '../runtime/loader.js';
import { copyBytes, withBytes } from '../runtime/wasm_memory.js';
import { getErrorMessage } from '../runtime/errors.js';
import { readJson, wasm } from '../runtime/runtime.js';
import { kDataTypes, type Shape } from '../runtime/types.js';
import { dispose } from '../owner/scope.js';
import type { NamedTensorMap } from '../tensor/tensor.js';
import { SerializationMap } from '../util/serialization.js';
import { convertPythonicToTs } from './config_case.js';
import { checked } from './layers/layer_bindings.js';
import { EngineLayer, deserializeLayer } from './layers/engine_layer.js';
import { makeLayer } from './layers/make_layer.js';
import { isEngineClass } from './layers/layer_fields.js';
import type { ClassConfig } from './identifiers.js';
import { InputLayer } from './layers/input_layer.js';
import { jsonText, kMaxDepth, nestedTooDeep } from './json_text.js';
import type { Layer, LayerArgs } from './layers/layer.js';
import { Functional, LayersModel } from './layers_model.js';
import { loadNamedWeights } from './named_weights.js';
import { nameScope } from './names.js';
import { Sequential } from './sequential.js';
import { SymbolicTensor } from './layers/symbolic_tensor.js';
import { fromTrainingConfig } from './training_config.js';

type Dict = Record<string, unknown>;

/** Description of a network that the engine has read: its layers, with their handles, and its calls. */
interface Description {
  name: string;
  className: string;
  trainable: boolean;
  inputs: { name: string; shape: Shape; dtype: number; call: number }[];
  outputs: [number, number][];
  calls: { layer: number; inputs: [number, number][]; shapes: Shape[] }[];
  layers: { number: number; name: string }[];
}

/** Creates a model from the parts of its files. Throws an error that names the invalid layer or weight. */
export function modelFromArtifacts(artifacts: ModelArtifacts, strict = true): LayersModel {
  const topology = getTopology(artifacts.modelTopology);
  const { weightData, weightSpecs } = artifacts;
  // A file without weights makes a new model.
  const mustFit = strict && weightData !== undefined && weightData !== null;
  const model = usesCustomClasses(topology)
    ? fromCustomTopology(topology, artifacts, strict)
    : wrapNetwork(readNetwork(artifacts.modelTopology, weightSpecs ?? [], weightData ?? [], mustFit), topology);
  try {
    if (artifacts.userDefinedMetadata) model.setUserDefinedMetadata(artifacts.userDefinedMetadata);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

function getTopology(json: unknown): Dict {
  let topology = json as Dict;
  for (const wrapper of ['modelTopology', 'model_config']) topology = (topology?.[wrapper] as Dict | null) ?? topology;
  return topology ?? {};
}

/**
 * Reads a network in the engine and returns its handle. The text is passed in memory of the engine's allocator, which fails
 * with an error at the end of memory; Embind's strings do not.
 */
function readNetwork(
  json: unknown,
  weightSpecs: unknown,
  weights: ArrayBuffer | ArrayBuffer[],
  strict: boolean,
): number {
  const topology = jsonText(json);
  const specs = jsonText(weightSpecs);
  return checked(
    withBytes('loadLayersModel', [topology, specs], (text) => {
      const { address, length } = copyBytes('loadLayersModel', weights);
      return wasm._tn_read_network(address, length, text, topology.length, specs.length, strict ? 1 : 0);
    }),
  );
}

/** True if a topology has a class of layers that the program has registered. */
function usesCustomClasses(json: unknown, depth = 0): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (depth >= kMaxDepth) throw nestedTooDeep();
  const className = (json as Dict)['class_name'] ?? (json as Dict)['className'];
  if (typeof className === 'string' && 'config' in json && !isEngineClass(className) && isLayerClass(className))
    return true;
  return Object.values(json).some((part) => usesCustomClasses(part, depth + 1));
}

function isLayerClass(className: string): boolean {
  const [cls] = (SerializationMap.getMap().classNameMap[className] ?? []) as { prototype?: unknown }[];
  const isBuiltIn = ['Sequential', 'Functional', 'Model', 'InputLayer'].includes(className);
  return (
    !isBuiltIn &&
    typeof (cls?.prototype as { apply?: unknown; computeMask?: unknown } | undefined)?.computeMask === 'function'
  );
}

function fromCustomTopology(topology: Dict, { weightData, weightSpecs }: ModelArtifacts, strict: boolean): LayersModel {
  const model = deserializeLayer(convertPythonicToTs(topology) as ClassConfig) as LayersModel;
  if (!weightData || !weightSpecs) return model;
  const ofModel = weightSpecs.filter(({ group }) => group !== 'optimizer');
  try {
    const weights = decodeWeights(weightData, ofModel);
    try {
      loadNamedWeights(model, weights, strict);
    } finally {
      dispose(weights);
    }
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** Creates the layers and the model of a network in the engine, given the topology that it was read from. */
function wrapNetwork(number: number, topology: Dict): LayersModel {
  const numbers = [number];
  const layers: Layer[] = [];
  try {
    const description = readJson<Description>(wasm._tn_describe_network(number));
    numbers.push(...description.layers.map((layer) => layer.number));
    const config = topology['config'] as Dict | Dict[];
    const rows = (Array.isArray(config) ? config : config['layers']) as Dict[];
    for (const [i, layer] of description.layers.entries()) {
      layers.push(wrapLayer(layer.number, layer.name, rows[i]!));
      numbers.splice(numbers.indexOf(layer.number), 1);
    }
    const model = connect(description, layers, number);
    numbers.length = 0;
    return model;
  } catch (error) {
    for (const left of numbers) wasm._tn_drop_layer(left);
    for (const layer of layers) layer.freeUnretained();
    throw error;
  }
}

function wrapLayer(number: number, name: string, row: Dict): Layer {
  const className = (row['class_name'] ?? row['className']) as string;
  if (['Sequential', 'Functional', 'Model'].includes(className)) return wrapNetwork(number, row);
  const args = { ...(convertPythonicToTs(row['config'] ?? {}) as LayerArgs), name };
  if (className !== 'InputLayer') return makeLayer(className, args, number);
  const layer = new InputLayer(
    args.batchInputShape ? args : { ...args, batchInputShape: (args as { batchShape?: Shape }).batchShape! },
  );
  wasm._tn_drop_layer(number);
  return layer;
}

function connect(description: Description, layers: Layer[], number: number): LayersModel {
  const { name, className, calls, inputs, outputs } = description;
  const made: SymbolicTensor[][] = [];
  for (const [i, call] of calls.entries()) {
    const layer = layers[call.layer];
    const ofModel = inputs.find((x) => x.call === i);
    if (!layer || layer instanceof InputLayer) {
      const { shape, dtype } = ofModel!;
      const source =
        layer ?? new InputLayer({ batchInputShape: shape, dtype: kDataTypes[dtype]!, name: ofModel!.name });
      made.push(source.inboundNodes[0]!.outputTensors);
      continue;
    }
    const given = call.inputs.map(([from, tensor]) => made[from]![tensor]!);
    const results = nameScope(layer.name, () => {
      return call.shapes.map((shape, at) => new SymbolicTensor('float32', shape, layer, given, {}, layer.name, at));
    });
    layer.addInboundNode(given, results);
    layer.built = true;
    made.push(results);
  }
  const outputTensors = outputs.map(([call, tensor]) => made[call]![tensor]!);
  const inputTensors = inputs.map(({ call }) => made[call]![0]!);
  const model =
    className === 'Sequential'
      ? new Sequential({ name }, number)
      : makeFunctional(className, inputTensors, outputTensors, name, number);
  if (model instanceof Sequential) model.adoptConnectedLayers(layers, inputTensors, outputTensors[0]!);
  try {
    for (const layer of model.layers)
      if (layer instanceof EngineLayer) nameScope(layer.name, () => layer.bindWeights());
  } catch (error) {
    model.dispose();
    throw error;
  }
  for (const layer of layers) if (!model.layers.includes(layer)) layer.freeUnretained();
  if (!description.trainable) model.trainable = false;
  return model;
}

function makeFunctional(
  className: string,
  inputs: SymbolicTensor[],
  outputs: SymbolicTensor[],
  name: string,
  number: number,
): LayersModel {
  const cls = className === 'Model' ? LayersModel : Functional;
  return new cls({ inputs, outputs, name }, number);
}

/**
 * Loads a model of layers from a URL, a path in Node, or an IO handler such as `{load}`.
 * @example
 * let artifacts;
 * const first = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' })] });
 * await first.save(tf.io.withSaveHandler(async (given) => { artifacts = given; return {}; }));
 * const second = await tf.loadLayersModel(tf.io.fromMemory(artifacts)); // or a URL, or a path in Node
 * second.predict(tf.tensor([[1, 2]])); // [[3]]
 * tf.dispose([first, second]);
 */
export async function loadLayersModel(source: ModelSource, options?: LoadOptions): Promise<LayersModel> {
  const call = {};
  if (__DEBUG__) noteCall(call);
  const [artifacts] = await Promise.all([resolveArtifacts(source, options), loadForModels()]);
  if (isGraph(artifacts)) {
    const name = typeof source === 'string' ? source : 'The IO handler';
    throw new Error(`${name} has a graph model, which loadLayersModel() does not read: it reads models of layers.`);
  }
  const build = () => modelFromArtifacts(artifacts, options?.strict ?? true);
  const model = __DEBUG__ ? runAsCalled(call, build) : build();
  try {
    await restoreTraining(model, artifacts);
    model.prepare();
    await model.prelink();
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/**
 * Compiles a model with the training configuration of its file, and restores the optimizer's state. If the configuration has
 * an unknown class or name, a warning is printed and the model is left uncompiled: it can still predict.
 */
async function restoreTraining(
  model: LayersModel,
  { trainingConfig, weightSpecs, weightData }: ModelArtifacts,
): Promise<void> {
  if (!trainingConfig) return;
  try {
    model.compile(fromTrainingConfig(trainingConfig));
    model.ownOptimizer();
  } catch (error) {
    console.warn(`The model is not compiled with the training configuration of its file: ${getErrorMessage(error)}`);
    return;
  }
  const names = weightSpecs?.filter(({ group }) => group === 'optimizer').map(({ name }) => name) ?? [];
  if (names.length === 0 || !weightData) return;
  // All weights are decoded, as the model's come before the optimizer's in the data.
  const weights = decodeWeights(weightData, weightSpecs!);
  try {
    await model.optimizer.setWeights(names.map((name) => ({ name, tensor: weights[name]! })));
  } finally {
    dispose(weights);
  }
}

/** True if the artifacts have a TensorFlow graph, TensorFlow.js's other format of models. */
function isGraph({ format, modelTopology }: ModelArtifacts): boolean {
  return format === 'graph-model' || Array.isArray((modelTopology as { node?: unknown } | undefined)?.node);
}

/** Topology of a model and location of its weights. */
export interface ModelAndWeightsConfig {
  /** Topology, as toJSON() returns it. */
  modelTopology: object;
  /** Manifest of the weights' files; without it the weights are new. */
  weightsManifest?: Parameters<typeof loadWeights>[0];
  /** Prefix of the paths in the manifest. */
  pathPrefix?: string;
}

/**
 * Creates a model from the output of toJSON(), with new weights, or from `{modelTopology, weightsManifest, pathPrefix}`.
 * @example
 * const first = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] })] });
 * const second = await tf.models.modelFromJSON(JSON.parse(first.toJSON()));
 * second.outputShape; // [null, 1]
 * tf.dispose([first, second]);
 */
export async function modelFromJSON(json: object, customObjects?: object): Promise<LayersModel> {
  const given = ('modelTopology' in json ? json : { modelTopology: json }) as ModelAndWeightsConfig;
  await loadForModels();
  const topology = getTopology(given.modelTopology);
  const isCustom = customObjects !== undefined || usesCustomClasses(topology);
  const model = isCustom
    ? (deserializeLayer(convertPythonicToTs(topology) as ClassConfig, customObjects) as LayersModel)
    : wrapNetwork(readNetwork(topology, [], [], false), topology);
  if (!given.weightsManifest) return model;
  let weights: NamedTensorMap = {};
  try {
    const names = model.weights.map(({ originalName }) => originalName);
    weights = await loadWeights(given.weightsManifest, given.pathPrefix, names);
    loadNamedWeights(model, weights, true);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  } finally {
    dispose(weights);
  }
}
