/**
 * The part of Tenure that the element uses. The page passes it in, as an engine of the element's own would not have the
 * page's tensors.
 */
export interface Watched {
  memory(): {
    readonly numTensors: number;
    readonly numBytes: number;
    readonly numBytesInGPU?: number;
    readonly detail?: { readonly heapUsed: number };
  };
  /** The API of the debug build. TensorFlow.js has none. */
  readonly debug?: {
    readonly enabled: boolean;
    groups(): readonly { readonly key: string; readonly numTensors: number; readonly numBytes: number; readonly numLost: number }[];
    report(): string;
    toHTML(): string;
  };
}

/** Counts at one moment. */
export interface Reading {
  /** Number of live tensors. */
  readonly tensors: number;
  /** Bytes of the live tensors. */
  readonly bytes: number;
  /** Bytes on the GPU; 0 without a WebGL context. */
  readonly gpuBytes: number;
}

/** Returns the current counts. */
export function read(tf: Watched): Reading {
  const { numTensors, numBytes, numBytesInGPU = 0 } = tf.memory();
  return { tensors: numTensors, bytes: numBytes, gpuBytes: numBytesInGPU };
}

/**
 * Returns a report of the live tensors as text: in the debug build by line, with tf.memory(); otherwise tf.memory()
 * alone.
 */
export function getReport(tf: Watched): string {
  const memory = JSON.stringify(tf.memory(), undefined, 2);
  return tf.debug?.enabled ? `${tf.debug.report()}\n\n${memory}` : memory;
}
