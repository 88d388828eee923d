import { syncRecords, live } from './ledger_records.js';
import { getOpName, getScopePath, getSiteText, type TensorRecord } from './records.js';
import { describeOwner } from './report.js';

/** A tensor that was alive when a snapshot was taken. */
export interface LiveTensor {
  /** Unique number of the tensor, which is never reused. */
  readonly serial: number;
  /** The tensor's id. */
  readonly id: number;
  /** The function or op that made the tensor. */
  readonly op: string;
  /** Element type. */
  readonly dtype: string;
  /** Shape of the tensor. */
  readonly shape: readonly number[];
  /** Size of the elements in bytes. */
  readonly bytes: number;
  /**
   * Call site that made the tensor: "app.ts:41:20", or "line unknown: Safari drops frames of tail calls". Empty if no site was
   * recorded.
   */
  readonly site: string;
  /** The scope in which it was made, such as 'scope "frame" > tidy "pre"'; empty outside of scopes. */
  readonly scope: string;
  /** The owner that frees it: a scope, "a variable or model", "a running op", or "you". */
  readonly owner: string;
  /** Time at which it was made, in milliseconds as performance.now() counts them. */
  readonly born: number;
}

/** The tensors that were alive at a point in time. */
export interface Snapshot {
  /** Time of the snapshot, in milliseconds as performance.now() counts them. */
  readonly time: number;
  /** Number of live tensors. */
  readonly numTensors: number;
  /** Bytes of the live tensors. */
  readonly numBytes: number;
  /** The live tensors. */
  readonly tensors: readonly LiveTensor[];
}

/** The difference of two snapshots. */
export interface SnapshotDiff {
  /** Number of tensors in the later snapshot, less that in the earlier one. */
  readonly numTensors: number;
  /** Bytes in the later snapshot, less those in the earlier one. */
  readonly numBytes: number;
  /** Tensors that only the later snapshot has. */
  readonly added: readonly LiveTensor[];
  /** Tensors that only the earlier snapshot has. */
  readonly removed: readonly LiveTensor[];
}

/** Returns the tensors that are alive now. */
export function snapshot(): Snapshot {
  syncRecords();
  const tensors = [...live.values()].map(toLiveTensor);
  return { time: performance.now(), numTensors: tensors.length, numBytes: sumBytes(tensors), tensors };
}

/** Returns the tensors that only one of two snapshots has, and the differences of counts and bytes. */
export function diff(before: Snapshot, after: Snapshot): SnapshotDiff {
  const without = (all: Snapshot, some: Snapshot) => {
    const serials = new Set(some.tensors.map(({ serial }) => serial));
    return all.tensors.filter(({ serial }) => !serials.has(serial));
  };
  return {
    numTensors: after.numTensors - before.numTensors,
    numBytes: after.numBytes - before.numBytes,
    added: without(after, before),
    removed: without(before, after),
  };
}

function toLiveTensor(record: TensorRecord): LiveTensor {
  const { serial, id, dtype, shape, bytes, born } = record;
  return {
    serial,
    id,
    op: getOpName(record),
    dtype,
    shape,
    bytes,
    site: getSiteText(record),
    scope: getScopePath(record.scope),
    owner: describeOwner(record),
    born,
  };
}

function sumBytes(tensors: readonly LiveTensor[]): number {
  return tensors.reduce((sum, { bytes }) => sum + bytes, 0);
}
