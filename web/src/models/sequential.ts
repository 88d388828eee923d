import { registerClass, type ConfigDict } from '../util/serialization.js';
import type { Shape } from '../runtime/types.js';
import type { Tensor } from '../tensor/tensor.js';
import { Container } from './container.js';
import { deserializeLayer } from './layers/engine_layer.js';
import type { ClassConfig } from './identifiers.js';
import { input } from './layers/input_layer.js';
import type { Layer } from './layers/layer.js';
import { LayersModel } from './layers_model.js';
import { getUid } from './names.js';
import { getSourceInputs } from './layer_graph.js';
import { Node, type SymbolicTensor } from './layers/symbolic_tensor.js';

/** Arguments of tf.sequential(). */
export interface SequentialArgs {
  /** Layers to add, in order. */
  layers?: Layer[];
  /** Name of the model. */
  name?: string;
}

const kOneOutput =
  'All layers in a Sequential model should have a single output tensor. For multi-output layers, use the functional API.';

/** Throws if a window is larger than the input: the engine clamps the negative extent of the output to 0. */
function checkExtents(layer: Layer, before: SymbolicTensor, { shape }: SymbolicTensor): void {
  if (before.shape.includes(0) || !shape.some((extent) => extent !== null && extent <= 0)) return;
  throw new Error(
    `Negative dimension size caused by adding layer ${layer.name} with input shape [${String(before.shape)}]`,
  );
}

/**
 * Model of a linear stack of layers.
 * @example
 * const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
 * model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * const { history } = await model.fit(tf.tensor([[1], [2]]), tf.tensor([[2], [4]]), { epochs: 20, verbose: 0 });
 * history.loss.at(-1) < history.loss[0]; // true
 * model.dispose();
 * model.optimizer.dispose();
 */
export class Sequential extends LayersModel {
  static override readonly className: string = 'Sequential';

  constructor(args?: SequentialArgs);
  /** @internal `number` is its handle if the engine has it already. */
  constructor(args?: SequentialArgs, number?: number);
  constructor(args: SequentialArgs = {}, number?: number) {
    super({ inputs: [], outputs: [], name: args.name ?? getUid('sequential_') }, number);
    this.built = false;
    try {
      for (const layer of args.layers ?? []) this.add(layer);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Appends a layer and builds it. Throws if the first layer has no input shape, or if a layer has several outputs. */
  add(layer: Layer): void {
    this.assertNotDisposed();
    if (layer instanceof LayersModel) {
      if (layer.outputs.length !== 1) throw new Error(kOneOutput);
      if (layer.inputs.length !== 1)
        throw new Error(kOneOutput.replace('output tensor', 'input tensor').replace('multi-output', 'multi-input'));
    }
    const outputs = this.outputs.length === 0 ? this.connectFirst(layer) : this.connectNext(layer, this.outputs[0]!);
    this.dropEngine();
    this.setInputsAndOutput(this.outputs.length === 0 ? getSourceInputs(outputs) : this.inputs, outputs);
    this.layers.push(layer);
    layer.retain();
    this.built = false;
  }

  private connectFirst(layer: Layer): SymbolicTensor {
    if (layer instanceof Container) {
      if (layer instanceof Sequential && !layer.built) layer.build();
      return layer.outputs[0]!;
    }
    if (layer.inboundNodes.length === 0) {
      if (!layer.batchInputShape) {
        throw new Error(
          'The first layer in a Sequential model must get an `inputShape` or `batchInputShape` argument.',
        );
      }
      layer.apply(input({ batchShape: layer.batchInputShape, dtype: layer.dtype!, name: `${layer.name}_input` }));
    }
    if (layer.inboundNodes.length !== 1) {
      throw new Error(
        `A layer added to a Sequential model must not already be connected somewhere else. LayersModel received layer ${layer.name} which has ${layer.inboundNodes.length} pre-existing inbound connections.`,
      );
    }
    const { outputTensors } = layer.inboundNodes[0]!;
    if (outputTensors.length !== 1) throw new Error(kOneOutput);
    checkExtents(layer, layer.inboundNodes[0]!.inputTensors[0]!, outputTensors[0]!);
    return outputTensors[0]!;
  }

  private connectNext(layer: Layer, before: SymbolicTensor): SymbolicTensor {
    const output = layer.apply(before);
    if (Array.isArray(output)) throw new TypeError(kOneOutput);
    checkExtents(layer, before, output);
    return output;
  }

  private setInputsAndOutput(inputs: SymbolicTensor[], output: SymbolicTensor): void {
    this.inputs = inputs;
    this.outputs = [output];
    this.inboundNodes = [];
    new Node({ outboundLayer: this, inputTensors: this.inputs, outputTensors: this.outputs }, {}, true);
  }

  /** Removes the last layer, which the caller then owns. Throws if there is none. */
  pop(): void {
    const layer = this.layers.pop();
    if (!layer) throw new TypeError('There are no layers in the model.');
    layer.releaseToCreator();
    this.dropEngine();
    this.built = false;
    const last = this.layers.at(-1);
    if (!last) {
      this.inputs = [];
      this.outputs = [];
      this.inboundNodes = [];
      this.outboundNodes = [];
      return;
    }
    last.outboundNodes = [];
    const output = last instanceof Container ? last.outputs[0]! : (last.output as SymbolicTensor);
    this.setInputsAndOutput(this.inputs, output);
  }

  override build(_inputShape?: Shape | Shape[]): void {
    if (this.outputs.length === 0) {
      throw new TypeError('Sequential model cannot be built: model is empty. Add some layers first.');
    }
    this.connect();
  }
  /** @internal */
  protected override retainLayers(): void {
    this.built = true;
  }
  /** @internal Releases a layer. As in TensorFlow.js, a model that was added stays with its creator. */
  protected override releaseLayer(layer: Layer): number {
    return layer instanceof Container ? layer.releaseNested() : super.releaseLayer(layer);
  }

  /** @internal Takes the layers of a file, which the engine has connected already. */
  adoptConnectedLayers(layers: Layer[], inputs: SymbolicTensor[], output: SymbolicTensor): void {
    for (const layer of layers) {
      layer.retain();
      if (layer instanceof Container) layer.releaseCreator();
    }
    this.layers = layers;
    this.setInputsAndOutput(inputs, output);
    try {
      this.connect();
    } catch (error) {
      for (const layer of layers) layer.releaseToCreator();
      throw error;
    }
  }

  /** @internal */
  override engineHandle(): number | undefined {
    if (!this.built) this.build();
    return super.engineHandle();
  }
  override countParams(): number {
    if (!this.built) this.build();
    return super.countParams();
  }
  override summary(
    lineLength?: number,
    positions?: number[],
    printFn?: (message?: unknown, ...others: unknown[]) => void,
  ): void {
    if (!this.built) this.build();
    super.summary(lineLength, positions, printFn);
  }
  override setWeights(weights: Tensor[]): void {
    if (!this.built) this.build();
    super.setWeights(weights);
  }

  override getConfig(): ConfigDict {
    const layers = this.layers.map((layer) => ({ className: layer.getClassName(), config: layer.getConfig() }));
    return { name: this.name, layers };
  }
  static override fromConfig(cls: unknown, config: ConfigDict, customObjects?: object): Layer {
    const described = (Array.isArray(config) ? config : config['layers']) as ClassConfig[] | undefined;
    if (!described) {
      throw new Error(
        "When the config data for a Sequential model is not an Array, it must be an Object that contains the 'layers' field.",
      );
    }
    const { name } = config as { name?: string };
    const model = new (cls as typeof Sequential)({ name });
    try {
      for (const one of described) {
        const layer = deserializeLayer(one, customObjects);
        model.add(layer);
        if (layer instanceof Container) layer.releaseCreator();
      }
    } catch (error) {
      model.dispose();
      throw error;
    }
    return model;
  }
}
registerClass(Sequential as never);

/**
 * Creates a model of a linear stack of layers.
 * @example
 * const model = tf.sequential();
 * model.add(tf.layers.dense({ units: 4, activation: 'relu', inputShape: [3] }));
 * model.add(tf.layers.dense({ units: 1 }));
 * model.outputShape; // [null, 1]
 * model.countParams(); // 21
 * model.dispose(); // frees its weights
 */
export const sequential = (config?: SequentialArgs): Sequential => new Sequential(config);
