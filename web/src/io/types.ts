import type { NamedTensorMap, Tensor } from '../tensor/tensor.js';
import type { DataType, Shape } from '../runtime/types.js';

/** Bytes, in one buffer or in several that follow each other. */
export type WeightData = ArrayBuffer | ArrayBuffer[];

/** Whose weights. */
export type WeightGroup = 'model' | 'optimizer';

/** How one weight lies in the bytes of its group. */
export interface WeightsManifestEntry {
  name: string;
  shape: number[];
  dtype: DataType;
  group?: WeightGroup;
  /** Stored in fewer bits: value = stored * scale + min. */
  quantization?: { dtype: 'uint8' | 'uint16' | 'float16'; scale?: number; min?: number };
}

/** Files that hold weights one behind the other, and which. */
export interface WeightsManifestGroupConfig {
  paths: string[];
  weights: WeightsManifestEntry[];
}
/** The files of a model's weights, group by group. */
export type WeightsManifestConfig = WeightsManifestGroupConfig[];

/** How a model in a file was to be trained. */
export interface TrainingConfig {
  optimizer_config: object;
  loss: string | string[] | Record<string, string>;
  metrics?: string[] | Record<string, string>;
  weighted_metrics?: string[];
  sample_weight_mode?: string;
  loss_weights?: number[] | Record<string, number>;
}

/** What a model.json says besides where its weights are. */
export interface ModelDescription {
  modelTopology?: object;
  format?: string;
  generatedBy?: string;
  convertedBy?: string | null;
  signature?: object;
  userDefinedMetadata?: Record<string, unknown>;
  modelInitializer?: object;
  initializerSignature?: object;
  trainingConfig?: TrainingConfig;
}

/** A model.json. */
export interface ModelJSON extends ModelDescription {
  weightsManifest?: WeightsManifestConfig;
}

/** A model with its weights in memory. */
export interface ModelArtifacts extends ModelDescription {
  weightSpecs?: WeightsManifestEntry[];
  weightData?: WeightData;
  /** In weightData's place, where they are to be streamed. */
  getWeightStream?: () => ReadableStream<ArrayBuffer>;
}

/** When a model was saved, and how many bytes its parts take. */
export interface ModelArtifactsInfo {
  dateSaved: Date;
  modelTopologyType: 'JSON' | 'GraphDef';
  modelTopologyBytes?: number;
  weightSpecsBytes?: number;
  weightDataBytes?: number;
}

/** What became of a save. */
export interface SaveResult {
  modelArtifactsInfo: ModelArtifactsInfo;
  responses?: Response[];
  errors?: (object | string)[];
}

/** Where a model comes from or goes to. */
export interface IOHandler {
  load?(): Promise<ModelArtifacts>;
  save?(artifacts: ModelArtifacts): Promise<SaveResult>;
}

/** The same without promises. */
export interface IOHandlerSync {
  load?(): ModelArtifacts;
  save?(artifacts: ModelArtifacts): SaveResult;
}

/** What keeps models under names of its own. */
export interface ModelStoreManager {
  listModels(): Promise<Record<string, ModelArtifactsInfo>>;
  removeModel(path: string): Promise<ModelArtifactsInfo>;
}

/** Gives a model's files, in memory. */
export type LoadHandler = () => Promise<ModelArtifacts>;
/** Takes a model's files. */
export type SaveHandler = (artifacts: ModelArtifacts) => Promise<SaveResult>;
/** Is told the part that has arrived, from 0 to 1. */
export type OnProgressCallback = (fraction: number) => void;
/** What is known of a request. */
export interface RequestDetails {
  isBinary?: boolean;
}
/** What save() leaves out, and whether the optimizer goes along. */
export interface SaveConfig {
  trainableOnly?: boolean;
  includeOptimizer?: boolean;
}

/** A URL, a path in Node, or a handler. */
export type ModelSource = string | IOHandler;

/** How a model's files are asked for. */
export interface LoadOptions {
  /** For every request. */
  requestInit?: RequestInit;
  /** Called with the part of the weights that has arrived, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Instead of the platform's fetch. */
  fetchFunc?: typeof fetch;
  /** Instead of the folder of model.json, put before each file of weights. */
  weightPathPrefix?: string;
  /** Gives the address of each file of weights, which is then read wherever it is. */
  weightUrlConverter?: (weightFileName: string) => Promise<string>;
  /**
   * Reads weights that model.json names outside of its own folder, or that of `weightPathPrefix`: by `../`, an absolute path,
   * another host, or a link. Without it such a model is refused, as a file from anywhere could name any file that the program
   * may read.
   */
  allowWeightsOutsideFolder?: boolean;
  strict?: boolean;
  /** Gives `getWeightStream` in the place of the weights' bytes. */
  streamWeights?: boolean;
  fromTFHub?: boolean;
}

/** An input or output of a model. */
export interface ModelTensorInfo {
  name: string;
  shape?: Shape;
  dtype: DataType;
}

/** How predict() goes about it. */
export interface ModelPredictConfig {
  /** Accepted for TensorFlow.js's sake: a batch is predicted whole. */
  batchSize?: number;
  verbose?: boolean;
}

/** What predicts. */
export interface InferenceModel {
  readonly inputs: readonly ModelTensorInfo[];
  readonly outputs: readonly ModelTensorInfo[];
  predict(inputs: Tensor | Tensor[] | NamedTensorMap, config?: ModelPredictConfig): Tensor | Tensor[] | NamedTensorMap;
  execute(inputs: Tensor | Tensor[] | NamedTensorMap, outputs: string | string[]): Tensor | Tensor[];
}
