// Why a spec of TensorFlow.js fails, or a name of it is missing: the one list that docs/compatibility.md is written from.
// The first reason that fits holds; what none fits is not done yet.

/** `specs` match `FILE: NAME`. */
export const reasons = [
  {
    reason:
      'Holds for the numbers that the generator of TensorFlow.js draws from this seed: a normal distribution cut off at ' +
      'two standard deviations has 0.88 of the deviation that the spec expects within 0.6, and a test of normality at ' +
      '95% fails for one seed in twenty.',
    specs: [/^ops\/truncated_normal: truncatedNormal should return/, /^ops\/random_standard_normal: .* int32 3D/],
  },
  {
    reason: 'A string that nobody has written is empty, and not undefined.',
    specs: [/^buffer: tf.buffer string/],
  },
  {
    reason: 'Tenure has the norm of any order, where TensorFlow.js throws.',
    specs: [/^ops\/norm: norm vector >2-norm to throw error/],
  },
  {
    reason: 'The output has another shape than a convolution of it could give the input: Tenure says so.',
    specs: [/^ops\/conv2d_transpose: .*input=8x8x8,output=4x4x8/],
  },
  {
    reason: 'The momentum is a number of the optimizer, where TensorFlow.js keeps a tensor of it.',
    specs: [/^optimizers\/momentum_optimizer: .* basic/],
  },
  {
    reason: 'Gives Adam what Adagrad remembers: half of it, of one tensor, is none. Tenure says that it does not fit.',
    specs: [/^optimizers\/adagrad_optimizer: .* Continue training after loading weights/],
  },
  {
    reason:
      'TensorFlow.js gives every cell of a window, those in the padding too, an equal share of the gradient, but takes ' +
      'the mean of those inside; the gradient here is that of the mean.',
    specs: [/^ops\/avg_pool: .*gradient x=\[3,3,1\] f=\[3,3\] s=1 p=explicit/],
  },
  {
    reason: 'TensorFlow.js leaves out of the gradient what was mirrored; here it is added where it came from.',
    specs: [/^ops\/mirror_pad: mirrorPad grad/],
  },
  {
    reason:
      'TensorFlow.js takes a window of 1 by 1 whose output has the size of its input for one that does nothing, ' +
      'whatever its strides and pads; here the windows in the padding hold nothing.',
    specs: [/^ops\/pool: pool \w+ x=\[2,2,3\] f=\[1,1\] s=2 p=1 fractional outputs default rounding/],
  },
  {
    reason: 'Tenure has the gradient of a dilated convolution, where TensorFlow.js throws.',
    specs: [/^ops\/depthwise_conv2d: depthwiseConv2d gradients throws error on dilations > 1/],
  },
  {
    reason: 'A window larger than what it slides over is refused, where TensorFlow.js gives a result without elements.',
    specs: [/^ops\/avg_pool_3d: avgPool3d x=\[1,1,1,1,1\] f=\[1,1,3\] s=1 p=valid/],
  },
  {
    reason: 'A bool has no slope: what asks for the gradient of one is told so.',
    specs: [/^ops\/arithmetic: div gradient: 1d<int32> with 1d<bool>/],
  },
];

/** `names` match what `import * as tf` has, as `io.http`. */
export const absent = [
  {
    reason: 'What TensorFlow.js is made of inside, for packages of its own kernels and backends.',
    names: [/^(kernel_impls|KernelBackend|DataStorage|_FusedMatMul|FusedConv2D|FusedDepthwiseConv2D|FromPixels)$/],
  },
];
