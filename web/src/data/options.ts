/** Options of a pass over a dataset. */
export interface PipelineOptions {
  /** Maximum bytes of tensors alive ahead of the consumer. The element that the consumer waits for may exceed it. */
  maxBytes?: number;
  /**
   * Number of elements that mapAsync() processes concurrently unless its own options say; 'auto' is one per processor,
   * at most 8.
   */
  parallel?: number | 'auto';
  /** Ends the pass when it is aborted. A waiting next() rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Shows the progress of a pass on the terminal, or where ProgressOptions say; a string is its label. */
  progress?: boolean | string | ProgressOptions;
  /**
   * Starts where a pass was when its snapshot() was taken, with the same dataset, in this or another run of the
   * program.
   */
  from?: PipelineSnapshot;
}

/** Position of a pass, as plain values that JSON can represent. */
export interface PipelineSnapshot {
  /** Number of elements that the consumer got. */
  readonly elements: number;
  /**
   * Seed of each shuffle(), in the order in which the pass opened them, and how many numbers were drawn before the
   * pass.
   */
  readonly shuffles: readonly {
    /** Seed of the random numbers. */
    readonly seed: string;
    /** Number of random numbers that were drawn before the pass. */
    readonly draws: number;
  }[];
}

/** Statistics of a pass. */
export interface PipelineStats {
  /** Number of elements that the consumer got. */
  elements: number;
  /** Bytes of the tensors that are ahead of the consumer now. */
  bytesAhead: number;
  /** Maximum of `bytesAhead` so far. */
  peakBytesAhead: number;
  /** Milliseconds that the consumer has waited for elements; high if the producer is slow. */
  waitedForProducer: number;
  /** Milliseconds between an element and the call for the next one; high if the consumer is slow. */
  waitedForConsumer: number;
}

/** Options of the progress line. */
export interface ProgressOptions {
  /** Text before the bar. */
  label?: string;
  /** Destination of the line; by default the standard error output, if that is a terminal. */
  to?: {
    /** Writes text. */
    write(text: string): unknown;
    /** Number of characters in a line of the terminal, if it is known. */
    columns?: number;
  };
}

/** Options of Dataset.cache(). */
export interface CacheOptions {
  /** Maximum number of bytes of the cached tensors: any number by default. */
  maxBytes?: number;
}

/** Options of Dataset.window(). */
export interface WindowOptions {
  /** Number of elements from the start of a window to that of the next: `size` by default. */
  shift?: number;
  /** True (default) to keep an incomplete window at the end, false to drop it. */
  smallLast?: boolean;
}
