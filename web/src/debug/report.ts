import { syncRecords, live } from './ledger_records.js';
import {
  formatCount,
  describeMaker,
  getOpName,
  getScopePath,
  formatBytes,
  formatType,
  type TensorRecord,
} from './records.js';

/** The property that groups tensors: the call site that made them, the op, or the scope that owns them. */
export type Grouping = 'site' | 'op' | 'scope';

/** Options of groups() and report(). */
export interface GroupingOptions {
  /** Property that groups the tensors: 'site' by default. */
  by?: Grouping;
}

/** A group of live tensors with the same call site, op or scope. */
export interface LiveTensorGroup {
  /** The common property: "resizeBilinear at app.ts:41:20", an op, or 'scope "frame" > tidy "pre"'. */
  readonly key: string;
  /** Number of tensors in the group. */
  readonly numTensors: number;
  /** Bytes of the tensors in the group. */
  readonly numBytes: number;
  /** Number of tensors whose object was garbage-collected, so that the program cannot free them. */
  readonly numLost: number;
  /** Types of the tensors, such as "float32[1,224,224,3]", each once. */
  readonly types: readonly string[];
}

const kMaxTypes = 3;

/** Returns the live tensors in groups, the group with the most bytes first. */
export function groups(by: Grouping): LiveTensorGroup[] {
  syncRecords();
  const found = new Map<string, { numTensors: number; numBytes: number; numLost: number; types: Set<string> }>();
  for (const record of live.values()) {
    const key = getGroupKey(record, by);
    let group = found.get(key);
    if (!group) found.set(key, (group = { numTensors: 0, numBytes: 0, numLost: 0, types: new Set() }));
    group.numTensors++;
    group.numBytes += record.bytes;
    if (record.isLost) group.numLost++;
    group.types.add(formatType(record));
  }
  return [...found]
    .map(([key, group]) => ({ key, ...group, types: [...group.types] }))
    .sort((a, b) => b.numBytes - a.numBytes || b.numTensors - a.numTensors);
}

/** Returns the owner of a tensor: the path of a scope, "a variable or model", "a running op", or "you". */
export function describeOwner({ owner }: TensorRecord): string {
  return owner === 'caller'
    ? 'you'
    : owner === 'holder'
      ? 'a variable or model'
      : getScopePath(owner) || 'a running op';
}

/** Returns the groups of live tensors as a table of plain text. */
export function report(by: Grouping): string {
  const all = groups(by);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const count = sum(all.map(({ numTensors }) => numTensors));
  const bytes = sum(all.map(({ numBytes }) => numBytes));
  const lines = all.map((group) => {
    const types = group.types.slice(0, kMaxTypes).join(', ') + (group.types.length > kMaxTypes ? ', ...' : '');
    const lost = group.numLost > 0 ? ` (${group.numLost} collected without dispose)` : '';
    return row(String(group.numTensors), formatBytes(group.numBytes), `${group.key}: ${types}${lost}`);
  });
  const heading = `${formatCount(count)} alive, ${formatBytes(bytes)}, by ${by}`;
  return [heading, ...(all.length > 0 ? [row('count', 'bytes', by)] : []), ...lines].join('\n');
}

function row(count: string, bytes: string, rest: string): string {
  return `${count.padStart(7)} ${bytes.padStart(10)}  ${rest}`;
}

function getGroupKey(record: TensorRecord, by: Grouping): string {
  switch (by) {
    case 'site':
      return `${describeMaker(record)}${record.isSampled ? '' : ' (site not sampled)'}`;
    case 'op':
      return getOpName(record);
    case 'scope':
      return describeOwner(record);
    default:
      throw new Error(`report() groups by 'site', 'op' or 'scope', not by '${String(by)}'`);
  }
}
