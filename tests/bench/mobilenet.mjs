// MobileNetV1 with random weights as a layers model: https://arxiv.org/abs/1704.04861, table 1.
import { randomFloats, sizeOf } from './random.mjs';

/** Output channels and stride of each depthwise separable block. */
const kBlocks = [
  [64, 1],
  [128, 2],
  [128, 1],
  [256, 2],
  [256, 1],
  [512, 2],
  [512, 1],
  [512, 1],
  [512, 1],
  [512, 1],
  [512, 1],
  [1024, 2],
  [1024, 1],
];
const kClasses = 1000;
const kSize = 224;
/** Input shape, multiply-adds and output size of a prediction with alpha 1. */
export const mobileNetCost = {
  inputs: [[1, kSize, kSize, 3]],
  multiplyAdds: countMultiplyAdds(),
  outputs: kClasses,
  arrays: true,
};

function countMultiplyAdds() {
  let side = kSize / 2;
  let channels = 32;
  let count = side ** 2 * channels * 27;
  for (const [wide, stride] of kBlocks) {
    side /= stride;
    count += side ** 2 * channels * (9 + wide);
    channels = wide;
  }
  return count + channels * kClasses;
}

/** Returns the artifacts of an IOHandler's load(), for images of size x size pixels and channels scaled by alpha. */
export function mobileNet({ alpha = 1, size = kSize } = {}) {
  const layers = [];
  const specs = [];
  const add = (type, name, config, weights) => {
    layers.push({ class_name: type, config: { name, trainable: true, ...config } });
    for (const [key, shape, range] of weights) specs.push({ name: `${name}/${key}`, shape, dtype: 'float32', range });
  };
  const convolution = (type, name, key, kernel, strides, config) => {
    // Uniform weights of this range preserve the variance of the activations through a ReLU.
    const inputs = type === 'Conv2D' ? sizeOf(kernel.slice(0, 3)) : sizeOf(kernel.slice(0, 2));
    const range = [-Math.sqrt(6 / inputs), Math.sqrt(6 / inputs)];
    const common = { kernel_size: kernel.slice(0, 2), strides, padding: 'same', use_bias: false, activation: 'linear' };
    add(type, name, { ...common, ...config }, [[key, kernel, range]]);
    const channels = type === 'Conv2D' ? kernel[3] : kernel[2];
    add('BatchNormalization', `${name}_norm`, { axis: -1, epsilon: 1e-3 }, [
      ['gamma', [channels], [0.8, 1.2]],
      ['beta', [channels], [-0.1, 0.1]],
      ['moving_mean', [channels], [-0.1, 0.1]],
      ['moving_variance', [channels], [0.8, 1.2]],
    ]);
    add('ReLU', `${name}_relu`, { max_value: 6 }, []);
  };

  let channels = Math.round(32 * alpha);
  const input = { filters: channels, batch_input_shape: [null, size, size, 3], dtype: 'float32' };
  convolution('Conv2D', 'stem', 'kernel', [3, 3, 3, channels], [2, 2], input);
  kBlocks.forEach(([wide, stride], i) => {
    const depthwise = [3, 3, channels, 1];
    convolution('DepthwiseConv2D', `depthwise${i}`, 'depthwise_kernel', depthwise, [stride, stride], {
      depth_multiplier: 1,
    });
    const filters = Math.round(wide * alpha);
    convolution('Conv2D', `pointwise${i}`, 'kernel', [1, 1, channels, filters], [1, 1], { filters });
    channels = filters;
  });
  add('GlobalAveragePooling2D', 'pool', {}, []);
  const dense = { units: kClasses, use_bias: true, activation: 'softmax' };
  add('Dense', 'classes', dense, [
    ['kernel', [channels, kClasses], [-0.1, 0.1]],
    ['bias', [kClasses], [-0.1, 0.1]],
  ]);

  const weights = new Float32Array(specs.reduce((sum, { shape }) => sum + sizeOf(shape), 0));
  let at = 0;
  specs.forEach(({ shape, range }, i) => {
    weights.set(randomFloats(sizeOf(shape), i + 1, ...range), at);
    at += sizeOf(shape);
  });
  return {
    format: 'layers-model',
    modelTopology: { class_name: 'Sequential', config: { name: 'mobilenet', layers } },
    weightSpecs: specs.map(({ name, shape, dtype }) => ({ name, shape, dtype })),
    weightData: weights.buffer,
  };
}
