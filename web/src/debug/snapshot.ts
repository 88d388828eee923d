import { drain, live } from './book.js';
import { opOf, pathOf, siteText, type TensorRecord } from './records.js';
import { ownerOf } from './report.js';

/** A tensor that was alive when a snapshot was taken. */
export interface LiveTensor {
  /** One for each tensor, never used again. */
  readonly serial: number;
  /** The tensor's id. */
  readonly id: number;
  readonly op: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: number;
  /**
   * "app.ts:41:20"; "line unknown: Safari drops frames of tail calls" where the stack does not tell it; empty where no site was
   * taken.
   */
  readonly site: string;
  /** The scope in which it was made, 'scope "frame" > tidy "pre"'; empty outside of any. */
  readonly scope: string;
  /** Who frees it: a scope, "a variable or model", or "you". */
  readonly owner: string;
  /** When it was made, as performance.now() counts. */
  readonly born: number;
}

/** What was alive at a moment. */
export interface Snapshot {
  readonly time: number;
  readonly numTensors: number;
  readonly numBytes: number;
  readonly tensors: readonly LiveTensor[];
}

/** What changed between two moments. */
export interface SnapshotDiff {
  readonly numTensors: number;
  readonly numBytes: number;
  readonly added: readonly LiveTensor[];
  readonly removed: readonly LiveTensor[];
}

/** What is alive now. */
export function snapshot(): Snapshot {
  drain();
  const tensors = [...live.values()].map(infoOf);
  return { time: performance.now(), numTensors: tensors.length, numBytes: bytesOf(tensors), tensors };
}

/** What `after` has more than `before`, and less. */
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

function infoOf(record: TensorRecord): LiveTensor {
  const { serial, id, dtype, shape, bytes, born } = record;
  return { serial, id, op: opOf(record), dtype, shape, bytes, site: siteText(record), scope: pathOf(record.scope), owner: ownerOf(record), born };
}

function bytesOf(tensors: readonly LiveTensor[]): number {
  return tensors.reduce((sum, { bytes }) => sum + bytes, 0);
}
