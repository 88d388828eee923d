import { opNames } from '../generated/ops.js';

/** TensorFlow.js's kernels of each op that are called otherwise than the op; the first is what a profile calls it. */
const kKernels: Readonly<Record<string, readonly string[]>> = {
  avgPool3d: ['AvgPool3D'],
  bandPart: ['MatrixBandPart'],
  batchNorm: ['FusedBatchNorm'],
  conv2d: ['Conv2D', 'FusedConv2D'],
  conv2dTranspose: ['Conv2DBackpropInput'],
  conv3d: ['Conv3D'],
  conv3dTranspose: ['Conv3DBackpropInputV2'],
  depthwiseConv2d: ['DepthwiseConv2dNative', 'FusedDepthwiseConv2D'],
  dilation2d: ['Dilation2D'],
  div: ['RealDiv'],
  fft: ['FFT'],
  fillLike: ['FillLike', 'OnesLike', 'ZerosLike'],
  gather: ['GatherV2'],
  gatherND: ['GatherNd'],
  ifft: ['IFFT'],
  isNaN: ['IsNan'],
  linspace: ['LinSpace'],
  localResponseNormalization: ['LRN'],
  matMul: ['BatchMatMul', '_FusedMatMul'],
  maxPool3d: ['MaxPool3D'],
  mul: ['Multiply'],
  nonMaxSuppression: ['NonMaxSuppressionV3', 'NonMaxSuppressionV4', 'NonMaxSuppressionV5'],
  pad: ['PadV2'],
  scatterND: ['ScatterNd'],
  split: ['SplitV'],
  stack: ['Pack'],
  topk: ['TopK'],
  unstack: ['Unpack'],
  where: ['Select'],
};

function namesOf(op: string): readonly string[] {
  return kKernels[op] ?? [op.charAt(0).toUpperCase() + op.slice(1)];
}

/** What TensorFlow.js calls the kernel of an op. */
export function kernelNameOf(op: string): string {
  return namesOf(op)[0]!;
}

/** The names of all kernels that are ops here. */
export function kernelNames(): readonly string[] {
  return [...new Set(opNames.flatMap(namesOf))];
}

/** The number of the op that TensorFlow.js's kernel of this name runs, or -1. */
export function opOfKernel(kernelName: string): number {
  return opNames.findIndex((op) => namesOf(op).includes(kernelName));
}
