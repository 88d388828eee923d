// A U²-Net of three stages with random weights: blocks that halve and double their resolution inside (Qin et al., 2020).
import { onnxModel } from '../../bench/onnx.mjs';
import { randomFloats, sizeOf } from '../../bench/random.mjs';

const kFirstSeed = 900;

/** Returns the bytes of the model: an image [1, 3, height, width] to masks of its size, of all stages and of each. */
export function tinyU2net() {
  const nodes = [];
  const constants = {};
  let seed = kFirstSeed;
  const node = (op, inputs, attributes = {}, output = `v${nodes.length + 1}`) => {
    nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  };
  const weights = (name, shape, low, high) => {
    constants[name] = { shape, values: randomFloats(sizeOf(shape), ++seed, low, high) };
    return name;
  };
  const integers = (...values) => {
    const name = `integers ${values.join(' ')}`;
    constants[name] = { shape: [values.length], values };
    return name;
  };
  const conv = (name, x, from, to, size = 3, dilation = 1) => {
    const scale = Math.sqrt(3 / (from * size * size));
    const pad = (dilation * (size - 1)) / 2;
    const parts = [weights(name, [to, from, size, size], -scale, scale), weights(`${name} bias`, [to], -0.1, 0.1)];
    return node('Conv', [x, ...parts], {
      kernel_shape: [size, size],
      pads: [pad, pad, pad, pad],
      dilations: [dilation, dilation],
    });
  };
  const convRelu = (name, x, from, to, dilation) => {
    const statistics = Object.entries({
      scale: [0.8, 1.2],
      offset: [-0.2, 0.2],
      mean: [-0.2, 0.2],
      variance: [3, 5],
    });
    const parts = statistics.map(([part, range]) => weights(`${name} ${part}`, [to], ...range));
    return node('Relu', [node('BatchNormalization', [conv(name, x, from, to, 3, dilation), ...parts])]);
  };
  const half = (x) => node('MaxPool', [x], { kernel_shape: [2, 2], strides: [2, 2], ceil_mode: 1 });
  /** Resizes x to the height and width of another value, as PyTorch exports interpolate(). */
  const resizeTo = (x, like) => {
    const extents = (value, ...axes) => node('Gather', [node('Shape', [value]), integers(...axes)]);
    const sizes = node('Concat', [extents(x, 0, 1), extents(like, 2, 3)], { axis: 0 });
    return node('Resize', [x, '', '', sizes], { mode: 'linear', coordinate_transformation_mode: 'pytorch_half_pixel' });
  };
  const join = (...values) => node('Concat', values, { axis: 1 });
  const block = (name, x, from, middle, to) => {
    const whole = convRelu(`${name} in`, x, from, to);
    const first = convRelu(`${name} 1`, whole, to, middle);
    const second = convRelu(`${name} 2`, half(first), middle, middle);
    const third = convRelu(`${name} 3`, half(second), middle, middle);
    const bottom = convRelu(`${name} 4`, third, middle, middle, 2);
    const third2 = convRelu(`${name} 3 up`, join(bottom, third), 2 * middle, middle);
    const second2 = convRelu(`${name} 2 up`, join(resizeTo(third2, second), second), 2 * middle, middle);
    const last = convRelu(`${name} 1 up`, join(resizeTo(second2, first), first), 2 * middle, to);
    return node('Add', [last, whole]);
  };

  const stage1 = block('stage 1', 'input.1', 3, 4, 8);
  const stage2 = block('stage 2', half(stage1), 8, 4, 12);
  const stage3 = block('stage 3', half(stage2), 12, 6, 16);
  const up2 = block('stage 2 up', join(resizeTo(stage3, stage2), stage2), 28, 4, 8);
  const up1 = block('stage 1 up', join(resizeTo(up2, stage1), stage1), 16, 4, 8);
  const sides = Object.entries({ 1: [up1, 8], 2: [up2, 8], 3: [stage3, 16] }).map(([i, [x, channels]]) => {
    const side = conv(`side ${i}`, x, channels, 1);
    return i === '1' ? side : resizeTo(side, 'input.1');
  });
  const fused = conv('fused', join(...sides), 3, 1, 1);
  const outputs = [fused, ...sides].map((x, i) => ({ name: node('Sigmoid', [x], {}, `d${i}`) }));
  return onnxModel({ nodes, constants, inputs: [{ name: 'input.1', shape: [1, 3, 'height', 'width'] }], outputs });
}
