import { opNames } from '../generated/ops.js';

/** Names of TensorFlow.js's kernels for ops whose kernels have other names; the first is used in profiles. */
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

function getKernelNames(op: string): readonly string[] {
  return kKernels[op] ?? [op.charAt(0).toUpperCase() + op.slice(1)];
}

/** Returns the name of TensorFlow.js's kernel for an op. */
export function getKernelName(op: string): string {
  return getKernelNames(op)[0]!;
}

/** Returns the names of all of TensorFlow.js's kernels that are ops of the engine. */
export function kernelNames(): readonly string[] {
  return [...new Set(opNames.flatMap(getKernelNames))];
}

/** Returns the number of the op for a kernel of TensorFlow.js, or -1. */
export function getKernelOp(kernelName: string): number {
  return opNames.findIndex((op) => getKernelNames(op).includes(kernelName));
}
