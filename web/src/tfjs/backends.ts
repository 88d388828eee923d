// The backend classes of TensorFlow.js, which can be named, constructed and compared with. Each stands for a device of
// Tenure. Methods that access a backend's internals throw when they are called.
import * as tf from '../index.js';
import { allUnsupported, unsupported, addUnsupportedMethods } from './unsupported.js';

/** The backend of Tenure that a class of TensorFlow.js stands for. */
export type Device = 'wasm' | 'webgl';

const kOwnMemory =
  "the values of tensors are the engine's; read them with tensor.data() and make them with tf.tensor()";
const kOwnPrograms = 'it cannot run a program of yours on the GPU; write what it computes with ops of tf';

/** A map of values by data id, which keeps a value as long as its id. */
export class DataStorage<T> {
  readonly #data = new WeakMap<WeakKey, T>();
  #count = 0;

  constructor(
    private readonly backend: unknown,
    private readonly dataMover?: { moveData(backend: unknown, dataId: WeakKey): void },
  ) {}

  /** Returns the value of an id. If it is not here, the data mover moves it first. */
  get(dataId: WeakKey): T {
    if (!this.#data.has(dataId)) this.dataMover?.moveData(this.backend, dataId);
    return this.#data.get(dataId)!;
  }
  set(dataId: WeakKey, value: T): void {
    this.#count++;
    this.#data.set(dataId, value);
  }
  has(dataId: WeakKey): boolean {
    return this.#data.has(dataId);
  }
  delete(dataId: WeakKey): boolean {
    this.#count--;
    return this.#data.delete(dataId);
  }
  /** Returns the number of ids that have a value. */
  numDataIds(): number {
    return this.#count;
  }
}

/** Base class of TensorFlow.js's backends. */
export class KernelBackend {
  /** The backend of Tenure that computes in its place, if any. */
  readonly device?: Device;

  epsilon(): number {
    return this.floatPrecision() === 32 ? 1e-7 : 1e-4;
  }
  floatPrecision(): 16 | 32 {
    return 32;
  }
  timerAvailable(): boolean {
    return true;
  }
  numDataIds(): number {
    return tf.backend().numDataIds();
  }
  memory(): {
    /** False: the counts are exact. */
    unreliable: boolean;
  } {
    return { unreliable: false };
  }
  dispose(): void {
    // The engine's memory is freed with its tensors.
  }
}
addUnsupportedMethods(
  KernelBackend,
  'refCount incRef time read readSync readToGPU disposeData write move createTensorFromGPUData',
  kOwnMemory,
);

/** The backend 'cpu'. Its ops run on the WebAssembly kernels. */
export class MathBackendCPU extends KernelBackend {
  override readonly device = 'wasm';
}
addUnsupportedMethods(
  MathBackendCPU,
  'makeTensorInfo makeOutput bufferSync disposeIntermediateTensorInfo where',
  kOwnMemory,
);

/** The backend 'wasm'. */
export class BackendWasm extends KernelBackend {
  override readonly device = 'wasm';
}
addUnsupportedMethods(BackendWasm, 'getMemoryOffset makeOutput typedArrayFromHeap', kOwnMemory);

/** The backend 'webgl'. A context or canvas that is passed to it is ignored: Tenure creates its context itself. */
export class MathBackendWebGL extends KernelBackend {
  override readonly device = 'webgl';

  /** Returns the engine's WebGL context. Throws if there is none. */
  getGPGPUContext(): {
    /** WebGL context. */
    gl: WebGL2RenderingContext;
  } {
    return tf.backend().getGPGPUContext();
  }
  checkCompileCompletion(): void {
    // The engine waits for its shader programs itself.
  }
  checkCompileCompletionAsync(): Promise<boolean[]> {
    return Promise.resolve([]);
  }
  getUniformLocations(): void {
    // The engine looks up its uniforms itself.
  }
}
const kGpu =
  'compileAndRun runWebGLProgram runWebGPUProgram packUnaryOp abs complex uploadToGPU unpackTensor packTensor decode ' +
  'getDataInfo disposeIntermediateTensorInfo makeTensorInfo makeOutput bufferSync getTexture getCPUBackend where';
addUnsupportedMethods(MathBackendWebGL, kGpu, kOwnPrograms);

/** The backend 'webgpu'. Its ops run on WebGL2. */
export class WebGPUBackend extends KernelBackend {
  override readonly device = 'webgl';
}
addUnsupportedMethods(WebGPUBackend, kGpu, kOwnPrograms);

/**
 * Stub of TensorFlow.js's wrapper of a WebGL context. Its constructor throws: `tf.backend().getGPGPUContext()` returns
 * Tenure's context.
 */
export class GPGPUContext {
  constructor() {
    unsupported('GPGPUContext', kOwnPrograms)();
  }
}

/** Does nothing: Tenure creates its context itself. */
export function setWebGLContext(_webGLVersion: number, _gl: unknown): void {}

/** Stores floats on the GPU as float16: half the memory, less precise. */
export function forceHalfFloat(): void {
  tf.env().set('WEBGL_FORCE_F16_TEXTURES', true);
}
export const webgl = { forceHalfFloat };

export const gpgpu_util = allUnsupported(
  'gpgpu_util',
  `createVertexShader createVertexBuffer createIndexBuffer getInternalFormatForFloat32MatrixTexture
  createFloat32MatrixTexture getInternalFormatForFloat16MatrixTexture createFloat16MatrixTexture
  getInternalFormatForUnsignedBytesMatrixTexture createUnsignedBytesMatrixTexture
  getInternalFormatForPackedMatrixTexture createPackedMatrixTexture getInternalFormatForFloat16PackedMatrixTexture
  createFloat16PackedMatrixTexture bindVertexProgramAttributeStreams uploadDenseMatrixToTexture
  uploadPixelDataToTexture createBufferFromOutputTexture downloadFloat32MatrixFromBuffer
  downloadByteEncodedFloatMatrixFromOutputTexture downloadPackedMatrixFromBuffer downloadMatrixFromPackedOutputTexture`,
  kOwnPrograms,
);
export const webgl_util = {
  ...allUnsupported(
    'webgl_util',
    `callAndCheck canBeRepresented getWebGLErrorMessage getExtensionOrThrow createVertexShader createFragmentShader
    logShaderSourceAndInfoLog createProgram linkProgram validateProgram createStaticVertexBuffer createStaticIndexBuffer
    createTexture validateTextureSize createFramebuffer bindVertexBufferToProgramAttribute bindTextureUnit
    unbindTextureUnit getProgramUniformLocationOrThrow getProgramUniformLocation bindTextureToProgramUniformSampler
    bindCanvasToFramebuffer bindColorTextureToFramebuffer unbindColorTextureFromFramebuffer validateFramebuffer
    getFramebufferErrorMessage getBatchDim getRowsCols getShapeAs3D getTextureShapeFromLogicalShape isReshapeFree
    getWebGLMaxTextureSize resetMaxTextureSize resetMaxTexturesInShader getMaxTexturesInShader
    getWebGLDisjointQueryTimerVersion hasExtension isCapableOfRenderingToFloatTexture isDownloadFloatTextureEnabled
    isWebGLFenceEnabled assertNotComplex`,
    kOwnPrograms,
  ),
  getNumChannels: () => 4,
  isWebGLVersionEnabled: (version: number) => version === 2 && tf.findBackendFactory('webgl') !== null,
};
export const webgpu_util = allUnsupported(
  'webgpu_util',
  `tilesFitEvenlyIntoShape computeDispatch computeWorkgroupInfoForMatMul computeWorkgroupSizeForConv2d
  computeWorkPerThreadForConv2d flatDispatchLayout GPUBytesPerElement isWebGPUSupported assertNotComplex`,
  kOwnPrograms,
);
webgpu_util.isWebGPUSupported = (() => typeof navigator !== 'undefined' && 'gpu' in navigator) as never;

/** Stubs of the kernels of 'cpu' that other backends use. */
export const shared = allUnsupported(
  'shared',
  `simpleAbsImpl addImpl bincountImpl bincountReduceImpl bitwiseAndImpl castImpl ceilImpl concatImpl equalImpl expImpl
  expm1Impl floorImpl floorDivImpl gatherNdImpl gatherV2Impl greaterImpl greaterEqualImpl lessImpl lessEqualImpl
  linSpaceImpl logImpl maxImpl maximumImpl minimumImpl multiplyImpl negImpl notEqualImpl prodImpl raggedGatherImpl
  raggedRangeImpl raggedTensorToTensorImpl rangeImpl rsqrtImpl scatterImpl sigmoidImpl sliceImpl
  sparseFillEmptyRowsImpl sparseReshapeImpl sparseSegmentReductionImpl sqrtImpl squaredDifferenceImpl
  staticRegexReplaceImpl stridedSliceImpl stringNGramsImpl stringSplitImpl stringToHashBucketFastImpl subImpl tileImpl
  topKImpl transposeImpl uniqueImpl`,
);
export const kernel_impls = allUnsupported(
  'kernel_impls',
  'nonMaxSuppressionV3Impl nonMaxSuppressionV4Impl nonMaxSuppressionV5Impl whereImpl',
);
