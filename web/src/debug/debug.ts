import { toChromeTrace } from './chrome_trace.js';
import { events, type DebugEvent } from './events.js';
import { fail, type FailureOptions } from './faults.js';
import { toHTML } from './html.js';
import { setSampling } from './book.js';
import { groups, report, type Grouping, type TensorGroup } from './report.js';
import { diff, snapshot, type Snapshot, type SnapshotDiff } from './snapshot.js';

/** What the debug build knows of every tensor. In a release build `enabled` is false, and everything is empty. */
export interface Debug {
  readonly enabled: boolean;
  /** Takes sites of only a part of the tensors, from none (0) to all (1, the default). */
  setSampling(rate: number): void;
  /** For tests of what a failure leaves behind: lets one op or allocation fail; without options, none any more. */
  fail(options?: FailureOptions): void;
  /** What is alive now. */
  snapshot(): Snapshot;
  /** What `after` has more than `before`, and less. */
  diff(before: Snapshot, after: Snapshot): SnapshotDiff;
  /** What is alive, grouped by 'site' (the default), 'op' or 'scope', those of most bytes first. */
  groups(options?: { by?: Grouping }): TensorGroup[];
  /** The groups as a table of plain text. */
  report(options?: { by?: Grouping }): string;
  /** What happened of late, the oldest first: allocations, scopes, and findings such as leaks. */
  events(): DebugEvent[];
  /** The same as JSON for Perfetto or chrome://tracing. */
  toChromeTrace(): string;
  /** A page in one file: bytes over time, sites, scopes, findings. */
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
