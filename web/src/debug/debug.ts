import { toChromeTrace } from './chrome_trace.js';
import { events, type DebugEvent } from './events.js';
import { fail, type FailureOptions } from './fault_injection.js';
import { toHTML } from './html.js';
import { setSampling } from './ledger_records.js';
import { groups, report, type GroupingOptions, type LiveTensorGroup } from './report.js';
import { diff, snapshot, type Snapshot, type SnapshotDiff } from './snapshot.js';

/** The debug build's records of tensors and scopes. In a release build `enabled` is false and the records are empty. */
export interface Debug {
  /**
   * True in a debug build.
   * @example
   * tf.debug.enabled; // true
   */
  readonly enabled: boolean;
  /**
   * Sets the fraction of tensors whose call sites are recorded, from 0 (none) to 1 (all, the default). Throws for other numbers.
   * @example
   * tf.debug.setSampling(0); // as quick as can be: no sites
   * const x = tf.ones([2]);
   * tf.debug.snapshot().tensors[0].site; // ''
   * tf.debug.setSampling(1);
   * x.dispose();
   */
  setSampling(rate: number): void;
  /**
   * Makes one op or allocation fail, for tests of error handling. Without options, nothing fails any more.
   * @example
   * tf.debug.fail({ afterOps: 1 }); // the second op from now
   * const x = tf.ones([2]);
   * x.add(1); // throws Error: [add] injected failure
   * tf.memory().numTensors; // 1: only x
   * x.dispose();
   */
  fail(options?: FailureOptions): void;
  /**
   * Returns the tensors that are alive now.
   * @example
   * const x = tf.zeros([256]);
   * const { numTensors, numBytes, tensors } = tf.debug.snapshot();
   * [numTensors, numBytes]; // [1, 1024]
   * const [{ op, owner }] = tensors;
   * [op, owner]; // ['zeros', 'you']
   * x.dispose();
   */
  snapshot(): Snapshot;
  /**
   * Returns the difference of two snapshots: the tensors that were added and removed.
   * @example
   * const before = tf.debug.snapshot();
   * const x = tf.ones([2]);
   * const y = x.square();
   * const { numBytes, added } = tf.debug.diff(before, tf.debug.snapshot());
   * numBytes; // 16
   * added.map(({ op }) => op); // ['ones', 'square']
   * tf.dispose([x, y]);
   */
  diff(before: Snapshot, after: Snapshot): SnapshotDiff;
  /**
   * Returns the live tensors grouped by 'site' (the default), 'op' or 'scope', the group with the most bytes first.
   * @example
   * const rows = [1, 2, 3].map((i) => tf.fill([4], i));
   * const [{ numTensors, numBytes, types }] = tf.debug.groups({ by: 'op' });
   * [numTensors, numBytes, types]; // [3, 48, ['float32[4]']]
   * tf.dispose(rows);
   */
  groups(options?: GroupingOptions): LiveTensorGroup[];
  /**
   * Returns the groups of live tensors as a table of plain text.
   * @example
   * const x = tf.ones([2]);
   * tf.debug.report({ by: 'op' }); // '1 tensor alive, 8 B, by op\n  count      bytes  op\n      1        8 B  ones: float32[2]'
   * x.dispose();
   */
  report(options?: GroupingOptions): string;
  /**
   * Returns the recent events, the oldest first: allocations, scopes, and findings such as leaks.
   * @example
   * const x = tf.tidy('frame', () => tf.ones([2]));
   * tf.debug.events().slice(-3).map(({ kind }) => kind); // ['open', 'allocate', 'close']
   * x.dispose();
   */
  events(): DebugEvent[];
  /**
   * Returns the recent events as JSON for Perfetto or chrome://tracing.
   * @example
   * tf.ones([2]).dispose();
   * JSON.parse(tf.debug.toChromeTrace()).traceEvents.length > 0; // true
   */
  toChromeTrace(): string;
  /**
   * Returns a report as an HTML page in one file: bytes over time, call sites, scopes and findings.
   * @example
   * const page = tf.debug.toHTML(); // for a file, or a window of its own
   * page.startsWith('<!doctype html>'); // true
   */
  toHTML(): string;
}

const kEmpty: Snapshot = { time: 0, numTensors: 0, numBytes: 0, tensors: [] };

export const debug: Debug = __DEBUG__
  ? {
      enabled: true,
      setSampling,
      fail,
      snapshot,
      diff,
      groups: ({ by = 'site' } = {}) => groups(by),
      report: ({ by = 'site' } = {}) => report(by),
      events,
      toChromeTrace,
      toHTML,
    }
  : {
      enabled: false,
      setSampling() {},
      fail() {},
      snapshot: () => kEmpty,
      diff: () => ({ numTensors: 0, numBytes: 0, added: [], removed: [] }),
      groups: () => [],
      report: () => '',
      events: () => [],
      toChromeTrace: () => '{"traceEvents":[]}',
      toHTML: () => '',
    };
