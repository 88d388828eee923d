/** How much a pipeline may do ahead of its consumer. */
export interface PipelineOptions {
  /** Bytes of the tensors that are alive ahead of the consumer; the element that is being waited for may exceed it. */
  maxBytes?: number;
  /** Elements that mapAsync() works on at a time, unless it says itself. */
  parallel?: number | 'auto';
  /** Ends the pipeline: whoever waits for an element gets the signal's reason. */
  signal?: AbortSignal;
  /** Shows on the terminal, or where it says, how far a pass is; a text stands before it. */
  progress?: boolean | string | ProgressOptions;
  /** Begins where a pass was when its snapshot() was taken: with the same dataset, in this program or in another run of it. */
  from?: PipelineSnapshot;
}

/** Where a pass is, as plain values that JSON can carry. */
export interface PipelineSnapshot {
  /** That the consumer has got. */
  readonly elements: number;
  /** Of each shuffle(), in the order in which the pass met them: its seed, and the numbers drawn from it before. */
  readonly shuffles: readonly { readonly seed: string; readonly draws: number }[];
}

/** What a pipeline has done. */
export interface PipelineStats {
  /** Elements that the consumer got. */
  elements: number;
  /** Bytes of the tensors ahead of the consumer now, and the most there were. */
  bytesAhead: number;
  peakBytesAhead: number;
  /** Milliseconds that the consumer has waited for elements: the producer is slow where this is much. */
  waitedForProducer: number;
  /** Milliseconds between an element and the call for the next one: the consumer is slow where this is much. */
  waitedForConsumer: number;
}

/** Where a pass shows how far it is. */
export interface ProgressOptions {
  /** Stands before the bar. */
  label?: string;
  /** What is written to; by default the standard error output, if that is a terminal. */
  to?: { write(text: string): unknown; columns?: number };
}
