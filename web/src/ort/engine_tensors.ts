// Outputs that stay in the engine until their data is asked for: tensors of onnxruntime-common at the location 'gpu-buffer'.
import { Tensor } from 'onnxruntime-common';
import { dispose, keep, type Tensor as EngineTensor } from '../index.js';

/** The types that onnxruntime-common accepts at the location. */
const kTypes: readonly Tensor.GpuBufferDataTypes[] = [
  'float32',
  'float16',
  'int32',
  'int64',
  'uint32',
  'uint8',
  'bool',
];

/** A stand-in for a GPUBuffer: a tensor of the engine. */
class EngineBuffer {
  readonly tensor: EngineTensor;
  readonly mapState = 'unmapped';

  constructor(tensor: EngineTensor) {
    this.tensor = tensor;
  }
  get size(): number {
    return this.tensor.size * 4;
  }
}

/** True for the types that tensors at the location may have. */
export function canRetain(type: Tensor.Type): type is Tensor.GpuBufferDataTypes {
  return kTypes.some((each) => each === type);
}

/**
 * Returns a tensor at the location 'gpu-buffer' with the data of an engine's tensor, which stays the caller's. It is in the engine
 * until dispose(); `download` reads it.
 */
export function retainInEngine<T extends Tensor.GpuBufferDataTypes>(
  tensor: EngineTensor,
  dataType: T,
  download: (tensor: EngineTensor) => Promise<Tensor.DataType>,
): Tensor {
  const retained = keep(tensor.clone());
  try {
    return Tensor.fromGpuBuffer(new EngineBuffer(retained), {
      dataType,
      dims: tensor.shape,
      download: async () => (await download(retained)) as Tensor.DataTypeMap[T],
      dispose: () => dispose(retained),
    });
  } catch (error) {
    dispose(retained);
    throw error;
  }
}

/** Returns the engine's tensor of a tensor that retainInEngine() has returned, else undefined. */
export function findRetained(value: Tensor): EngineTensor | undefined {
  if (value.location !== 'gpu-buffer') return undefined;
  const buffer: unknown = value.gpuBuffer;
  return buffer instanceof EngineBuffer ? buffer.tensor : undefined;
}
