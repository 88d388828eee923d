// MobileNetV2 and ResNet-18 with random weights, as PyTorch exports them: convolutions with the batch normalization folded in,
// explicit padding, channels first. https://arxiv.org/abs/1801.04381, table 2; https://arxiv.org/abs/1512.03385, table 1.
import { floats } from '../../onnx/package_models.mjs';
import { onnxModel } from '../onnx.mjs';
import { randomFloats, sizeOf } from '../random.mjs';

const kSize = 224;
const kClasses = 1000;
/** Expansion, output channels, blocks and stride of the first block of each stage of MobileNetV2. */
const kInvertedStages = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
];
/** Output channels, and stride of the first of the two blocks, of each stage of ResNet-18. */
const kResidualStages = [
  [64, 1],
  [128, 2],
  [256, 2],
  [512, 2],
];
/** Scales the last convolution of a block, so that sums of many blocks stay small. */
const kBranchScale = 0.5;

/** A graph of nodes with one output each, whose weights are uniform and preserve the variance of activations through a ReLU. */
class NetBuilder {
  nodes = [];
  constants = {};

  node(op, inputs, attributes = {}) {
    const output = `t${this.nodes.length}`;
    this.nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  #weight(shape, range) {
    const name = `w${Object.keys(this.constants).length}`;
    const seed = Object.keys(this.constants).length + 1;
    this.constants[name] = { values: randomFloats(sizeOf(shape), seed, -range, range), shape };
    return name;
  }

  /** Adds a convolution with a square kernel of `size` and a bias; `scale` multiplies its weights. */
  convolution(x, [inputs, outputs], { size = 1, stride = 1, groups = 1, scale = 1 } = {}) {
    const shape = [outputs, inputs / groups, size, size];
    const weight = this.#weight(shape, scale * Math.sqrt(6 / sizeOf(shape.slice(1))));
    const bias = this.#weight([outputs], 0.1);
    const pad = (size - 1) / 2;
    const attributes = {
      group: groups,
      kernel_shape: [size, size],
      pads: [pad, pad, pad, pad],
      strides: [stride, stride],
    };
    return this.node('Conv', [x, weight, bias], attributes);
  }

  relu6(x) {
    for (const [name, value] of [
      ['zero', 0],
      ['six', 6],
    ])
      this.constants[name] ??= { values: Float32Array.of(value), shape: [] };
    return this.node('Clip', [x, 'zero', 'six']);
  }

  /** Adds the mean of each channel and the classes, and returns a model with values of its input. */
  finish(x, channels) {
    const flat = this.node('Flatten', [this.node('GlobalAveragePool', [x])]);
    const weight = this.#weight([kClasses, channels], Math.sqrt(3 / channels));
    const output = this.node('Gemm', [flat, weight, this.#weight([kClasses], 0.1)], { transB: 1 });
    const shape = [1, 3, kSize, kSize];
    const { nodes, constants } = this;
    const bytes = onnxModel({ nodes, constants, input: { name: 'x', shape }, output: { name: output } });
    return { bytes, feeds: { x: floats(shape) } };
  }
}

/** Returns MobileNetV2 1.0 with values of its input. */
export function makeMobileNetV2() {
  const net = new NetBuilder();
  let channels = 32;
  let x = net.relu6(net.convolution('x', [3, channels], { size: 3, stride: 2 }));
  for (const [expansion, outputs, blocks, firstStride] of kInvertedStages) {
    for (let i = 0; i < blocks; ++i) {
      const stride = i === 0 ? firstStride : 1;
      const wide = channels * expansion;
      const expanded = expansion === 1 ? x : net.relu6(net.convolution(x, [channels, wide]));
      const deep = net.relu6(net.convolution(expanded, [wide, wide], { size: 3, stride, groups: wide }));
      const block = net.convolution(deep, [wide, outputs], { scale: kBranchScale });
      x = stride === 1 && channels === outputs ? net.node('Add', [x, block]) : block;
      channels = outputs;
    }
  }
  const last = 1280;
  return net.finish(net.relu6(net.convolution(x, [channels, last])), last);
}

/** Returns ResNet-18 with values of its input. */
export function makeResNet18() {
  const net = new NetBuilder();
  let channels = 64;
  let x = net.node('Relu', [net.convolution('x', [3, channels], { size: 7, stride: 2 })]);
  x = net.node('MaxPool', [x], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [2, 2] });
  for (const [outputs, firstStride] of kResidualStages) {
    for (const stride of [firstStride, 1]) {
      const inner = net.node('Relu', [net.convolution(x, [channels, outputs], { size: 3, stride })]);
      const block = net.convolution(inner, [outputs, outputs], { size: 3, scale: kBranchScale });
      const shortcut = channels === outputs ? x : net.convolution(x, [channels, outputs], { stride });
      x = net.node('Relu', [net.node('Add', [block, shortcut])]);
      channels = outputs;
    }
  }
  return net.finish(x, channels);
}
