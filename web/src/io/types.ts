import type { NamedTensorMap, Tensor } from '../tensor/tensor.js';
import type { DataType, Shape } from '../runtime/types.js';

/** Bytes of weights, in one buffer or in several consecutive ones. */
export type WeightData = ArrayBuffer | ArrayBuffer[];

/** The owner of weights. */
export type WeightGroup = 'model' | 'optimizer';

/** A weight in the bytes of its group. */
export interface WeightsManifestEntry {
  /** Name of the weight. */
  name: string;
  /** Shape of the weight. */
  shape: number[];
  /** Dtype of the weight, after dequantization. */
  dtype: DataType;
  /** Owner of the weight. */
  group?: WeightGroup;
  /** Storage in fewer bits: float16, or integers with value = stored * scale + min. */
  quantization?: {
    /** Type of the stored numbers. */
    dtype: 'uint8' | 'uint16' | 'float16';
    /** Factor of a stored integer. */
    scale?: number;
    /** Value of the stored integer 0. */
    min?: number;
  };
}

/** A group of files, and the weights in the concatenation of their bytes. */
export interface WeightsManifestGroupConfig {
  /** Paths of the files, relative to the folder of model.json. */
  paths: string[];
  /** The weights, in the order of their bytes. */
  weights: WeightsManifestEntry[];
}
/** The weight files of a model, in groups. */
export type WeightsManifestConfig = WeightsManifestGroupConfig[];

/** The compile arguments of a saved model. */
export interface TrainingConfig {
  /** Class name and config of the optimizer. */
  optimizer_config: object;
  /** Name of the loss, or names by output. */
  loss: string | string[] | Record<string, string>;
  /** Names of metrics, or names by output. */
  metrics?: string[] | Record<string, string>;
  /** Names of metrics that sample weights apply to. */
  weighted_metrics?: string[];
  /** Keras's mode of sample weights. */
  sample_weight_mode?: string;
  /** Factor of each output's loss. */
  loss_weights?: number[] | Record<string, number>;
}

/** The fields of a model.json without those about its weights. */
export interface ModelDescription {
  /** Config of the layers, or GraphDef, as JSON. */
  modelTopology?: object;
  /** 'layers-model' or 'graph-model'. */
  format?: string;
  /** The library that built the model. */
  generatedBy?: string;
  /** The converter that wrote the file. */
  convertedBy?: string | null;
  /** Names, shapes and dtypes of a graph model's inputs and outputs. */
  signature?: object;
  /** Data of the program, saved with the model. */
  userDefinedMetadata?: Record<string, unknown>;
  /** GraphDef of a graph model's initializer, as JSON. */
  modelInitializer?: object;
  /** Names, shapes and dtypes of the initializer's inputs and outputs. */
  initializerSignature?: object;
  /** The compile arguments. */
  trainingConfig?: TrainingConfig;
}

/** The content of a model.json. */
export interface ModelJSON extends ModelDescription {
  /** The weight files, in groups. */
  weightsManifest?: WeightsManifestConfig;
}

/** A model with its weights in memory. */
export interface ModelArtifacts extends ModelDescription {
  /** The weights, in the order of their bytes. */
  weightSpecs?: WeightsManifestEntry[];
  /** Bytes of the weights. */
  weightData?: WeightData;
  /** Returns a stream of the weights' bytes, in place of `weightData`. */
  getWeightStream?: () => ReadableStream<ArrayBuffer>;
}

/** Date of a save, and the number of bytes of each part. */
export interface ModelArtifactsInfo {
  /** Time of the save. */
  dateSaved: Date;
  /** Format of the topology. */
  modelTopologyType: 'JSON' | 'GraphDef';
  /** Bytes of the topology as JSON. */
  modelTopologyBytes?: number;
  /** Bytes of the weights' names, shapes and dtypes as JSON. */
  weightSpecsBytes?: number;
  /** Bytes of the weights. */
  weightDataBytes?: number;
}

/** The result of a save. */
export interface SaveResult {
  /** Date and sizes of the saved model. */
  modelArtifactsInfo: ModelArtifactsInfo;
  /** Responses of the server, after a save over HTTP. */
  responses?: Response[];
  /** Errors of the save. */
  errors?: (object | string)[];
}

/** A source or destination of models. */
export interface IOHandler {
  /** Loads the model. */
  load?(): Promise<ModelArtifacts>;
  /** Saves a model. */
  save?(artifacts: ModelArtifacts): Promise<SaveResult>;
}

/** A source or destination of models that works without promises. */
export interface IOHandlerSync {
  /** Loads the model. */
  load?(): ModelArtifacts;
  /** Saves a model. */
  save?(artifacts: ModelArtifacts): SaveResult;
}

/** A store of models by name. */
export interface ModelStoreManager {
  /** Resolves to the dates and sizes of all stored models, by name. */
  listModels(): Promise<Record<string, ModelArtifactsInfo>>;
  /** Removes a model, and resolves to its info. Rejects if there is none of that name. */
  removeModel(path: string): Promise<ModelArtifactsInfo>;
}

/** A function that resolves to the artifacts of a model. */
export type LoadHandler = () => Promise<ModelArtifacts>;
/** A function that saves the artifacts of a model. */
export type SaveHandler = (artifacts: ModelArtifacts) => Promise<SaveResult>;
/** A function that is called with the fraction that has been loaded, from 0 to 1. */
export type OnProgressCallback = (fraction: number) => void;
/** Properties of a request. */
export interface RequestDetails {
  /** True if the response is binary. */
  isBinary?: boolean;
}
/** Options of save(). */
export interface SaveConfig {
  /** Saves only trainable weights; false by default. */
  trainableOnly?: boolean;
  /** Saves the state of the optimizer, too; false by default. */
  includeOptimizer?: boolean;
}

/** A URL, a path in Node, or a handler. */
export type ModelSource = string | IOHandler;

/** Options of loading a model. */
export interface LoadOptions {
  /** Options of every request. */
  requestInit?: RequestInit;
  /** Called with the fraction of the weights that has been loaded, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Called in place of the platform's fetch(). */
  fetchFunc?: typeof fetch;
  /** Prefix of the names of weight files, in place of the folder of model.json. */
  weightPathPrefix?: string;
  /** Resolves to the address of a weight file by its name in the manifest. The file may be anywhere. */
  weightUrlConverter?: (weightFileName: string) => Promise<string>;
  /**
   * Allows weight files outside of the folder of model.json, or that of `weightPathPrefix`: by `../`, an absolute path,
   * another host, or a link. By default such a model is rejected, as a model.json from anywhere could name any file
   * that the program may read.
   */
  allowWeightsOutsideFolder?: boolean;
  /** If false, a layers model may lack weights of the file, and the file weights of the model; true by default. */
  strict?: boolean;
  /** Sets `getWeightStream` of the artifacts, not `weightData`, for files loaded over HTTP. */
  streamWeights?: boolean;
  /** Appends the name of the model file to the URL, as TensorFlow Hub requires. */
  fromTFHub?: boolean;
}

/** An input or output of a model. */
export interface ModelTensorInfo {
  /** Name of the input or output. */
  name: string;
  /** Shape, if known. */
  shape?: Shape;
  /** Dtype of the tensor. */
  dtype: DataType;
}

/** Options of predict(). */
export interface ModelPredictConfig {
  /** Ignored: a batch is predicted at once. Accepted for compatibility with TensorFlow.js. */
  batchSize?: number;
  /** Ignored. Accepted for compatibility with TensorFlow.js. */
  verbose?: boolean;
}

/** A model that computes outputs from inputs. */
export interface InferenceModel {
  /** The inputs of the model. */
  readonly inputs: readonly ModelTensorInfo[];
  /** The outputs of the model. */
  readonly outputs: readonly ModelTensorInfo[];
  /** Returns the model's outputs for a batch. */
  predict(inputs: Tensor | Tensor[] | NamedTensorMap, config?: ModelPredictConfig): Tensor | Tensor[] | NamedTensorMap;
  /** Returns the values of the named nodes for the given inputs. */
  execute(inputs: Tensor | Tensor[] | NamedTensorMap, outputs: string | string[]): Tensor | Tensor[];
}
