import type { GpuBuffer, GpuDevice, GpuEncoder, GpuPassOptions, GpuQuerySet } from './webgpu_types.js';

const kMapRead = 1;
const kCopySource = 4;
const kCopyTarget = 8;
const kResolveQueries = 0x200;
/** Maximum number of dispatches that the engine submits at once: kMaxRecorded of webgpu/device/context.cpp. */
const kMaxPasses = 256;
const kTimestampBytes = 8;
const kQueriesOfPass = 2;

/** Measures the time of each dispatch on the GPU, in a compute pass of its own. The device must have 'timestamp-query'. */
export class DispatchTimer {
  readonly #device: GpuDevice;
  readonly #queries: GpuQuerySet;
  readonly #resolved: GpuBuffer;
  /** Milliseconds of dispatches by their numbers from the timer's start on. */
  readonly #times = new Map<number, number>();
  readonly #pending = new Set<Promise<void>>();
  /** Numbers of the dispatches whose passes are not submitted yet. */
  #recorded: number[] = [];
  #next = 0;

  constructor(device: GpuDevice) {
    const count = kMaxPasses * kQueriesOfPass;
    this.#device = device;
    this.#queries = device.createQuerySet({ type: 'timestamp', count });
    this.#resolved = device.createBuffer({ size: count * kTimestampBytes, usage: kResolveQueries | kCopySource });
  }

  /** Returns the options of the pass of the next dispatch. */
  getPassOptions(): GpuPassOptions | undefined {
    const dispatch = this.#next++;
    if (this.#recorded.length === kMaxPasses) return undefined;
    const first = kQueriesOfPass * this.#recorded.length;
    this.#recorded.push(dispatch);
    const writes = { beginningOfPassWriteIndex: first, endOfPassWriteIndex: first + 1 };
    return { timestampWrites: { querySet: this.#queries, ...writes } };
  }

  /** Records that the timestamps of an encoder's passes are read. To be called before it is finished. */
  resolve(encoder: GpuEncoder): void {
    const dispatches = this.#recorded;
    if (dispatches.length === 0) return;
    this.#recorded = [];
    const count = kQueriesOfPass * dispatches.length;
    const size = count * kTimestampBytes;
    const buffer = this.#device.createBuffer({ size, usage: kMapRead | kCopyTarget });
    encoder.resolveQuerySet(this.#queries, 0, count, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, buffer, 0, size);
    // A buffer can be mapped only after the commands that write to it are submitted, which is in this turn.
    const pending = Promise.resolve()
      .then(() => buffer.mapAsync(kMapRead))
      .then(() => this.#read(dispatches, buffer.getMappedRange()))
      // The device is lost, and its times are unknown.
      .catch(() => {})
      .finally(() => buffer.destroy());
    this.#pending.add(pending);
    void pending.then(() => this.#pending.delete(pending));
  }

  /** Resolves to a function that returns the milliseconds of a dispatch, or undefined, when those submitted have ended. */
  async read(): Promise<(dispatch: number) => number | undefined> {
    await Promise.all(this.#pending);
    return (dispatch) => this.#times.get(dispatch);
  }

  /** Frees what is on the device. To be called when no passes are recorded that are not submitted. */
  destroy(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
  }

  #read(dispatches: number[], bytes: ArrayBuffer): void {
    const timestamps = new BigUint64Array(bytes);
    dispatches.forEach((dispatch, i) => {
      const nanoseconds = timestamps[kQueriesOfPass * i + 1]! - timestamps[kQueriesOfPass * i]!;
      // Timestamps may go backwards where a GPU's clock is reset.
      this.#times.set(dispatch, Math.max(0, Number(BigInt.asIntN(64, nanoseconds)) / 1e6));
    });
  }
}
