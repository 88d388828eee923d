/**
 * The part of Tenure that the element uses. The page passes it in, as an engine of the element's own would not have the
 * page's tensors.
 */
export interface Watched {
  /** Returns the current counts. */
  memory(): {
    /** Number of live tensors. */
    readonly numTensors: number;
    /** Bytes of the live tensors. */
    readonly numBytes: number;
    /** Bytes on the GPU, if there is one. */
    readonly numBytesInGPU?: number;
    /** Details that TensorFlow.js does not have. */
    readonly detail?: {
      /** Bytes that are allocated on the engine's heap. */
      readonly heapUsed: number;
    };
  };
  /** The API of the debug build. TensorFlow.js has none. */
  readonly debug?: {
    /** True in the debug build. */
    readonly enabled: boolean;
    /** Returns the live tensors grouped by call site, the group with the most bytes first. */
    groups(): readonly {
      /** Call site. */
      readonly key: string;
      /** Number of tensors. */
      readonly numTensors: number;
      /** Bytes of the tensors. */
      readonly numBytes: number;
      /** Number of tensors whose objects were garbage-collected. */
      readonly numLost: number;
    }[];
    /** Returns the groups as plain text. */
    report(): string;
    /** Returns a report as a page of HTML. */
    toHTML(): string;
  };
}

/** Counts at one moment. */
export interface Reading {
  /** Number of live tensors. */
  readonly tensors: number;
  /** Bytes of the live tensors. */
  readonly bytes: number;
  /** Bytes on the GPU; 0 if the engine uses none. */
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
