/** What the element asks of Tenure, which the page gives it: an engine of its own would know none of the page's tensors. */
export interface Watched {
  memory(): {
    readonly numTensors: number;
    readonly numBytes: number;
    readonly numBytesInGPU?: number;
    readonly detail?: { readonly heapUsed: number };
  };
  /** TensorFlow.js has none. */
  readonly debug?: {
    readonly enabled: boolean;
    groups(): readonly { readonly key: string; readonly numTensors: number; readonly numBytes: number; readonly numLost: number }[];
    report(): string;
    toHTML(): string;
  };
}

/** The counts of a moment. */
export interface Reading {
  readonly tensors: number;
  readonly bytes: number;
  /** Zero without a WebGL context. */
  readonly gpuBytes: number;
}

/** Counts now. */
export function read(tf: Watched): Reading {
  const { numTensors, numBytes, numBytesInGPU = 0 } = tf.memory();
  return { tensors: numTensors, bytes: numBytes, gpuBytes: numBytesInGPU };
}

/** What is alive as text: the debug build's report by line, and otherwise tf.memory(). */
export function reportOf(tf: Watched): string {
  const memory = JSON.stringify(tf.memory(), undefined, 2);
  return tf.debug?.enabled ? `${tf.debug.report()}\n\n${memory}` : memory;
}
