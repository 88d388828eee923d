import { drain, live } from './book.js';
import { countText, makerOf, opOf, pathOf, sizeText, typeOf, type TensorRecord } from './records.js';

/** What tensors may be grouped by: the place that made them, the op, or the scope that owns them. */
export type Grouping = 'site' | 'op' | 'scope';

/** Live tensors that have something in common. */
export interface TensorGroup {
  /** "resizeBilinear at app.ts:41:20", an op, or 'scope "frame" > tidy "pre"'. */
  readonly key: string;
  readonly numTensors: number;
  readonly numBytes: number;
  /** How many of them lost their object, so that nobody can free them any more. */
  readonly numLost: number;
  /** "float32[1,224,224,3]", each once. */
  readonly types: readonly string[];
}

const kMostTypes = 3;

/** The live tensors in groups, those of most bytes first. */
export function groups(by: Grouping): TensorGroup[] {
  drain();
  const found = new Map<string, { numTensors: number; numBytes: number; numLost: number; types: Set<string> }>();
  for (const record of live.values()) {
    const key = keyOf(record, by);
    let group = found.get(key);
    if (!group) found.set(key, (group = { numTensors: 0, numBytes: 0, numLost: 0, types: new Set() }));
    group.numTensors++;
    group.numBytes += record.bytes;
    if (record.isLost) group.numLost++;
    group.types.add(typeOf(record));
  }
  return [...found]
    .map(([key, group]) => ({ key, ...group, types: [...group.types] }))
    .sort((a, b) => b.numBytes - a.numBytes || b.numTensors - a.numTensors);
}

/** Who owns a tensor: the path of a scope, "a variable or model", or "you". */
export function ownerOf({ owner }: TensorRecord): string {
  return owner === 'caller' ? 'you' : owner === 'holder' ? 'a variable or model' : pathOf(owner) || 'an op at work';
}

/** The groups as a table. */
export function report(by: Grouping): string {
  const all = groups(by);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const count = sum(all.map(({ numTensors }) => numTensors));
  const bytes = sum(all.map(({ numBytes }) => numBytes));
  const lines = all.map((group) => {
    const types = group.types.slice(0, kMostTypes).join(', ') + (group.types.length > kMostTypes ? ', ...' : '');
    const lost = group.numLost > 0 ? ` (${group.numLost} collected without dispose)` : '';
    return row(String(group.numTensors), sizeText(group.numBytes), `${group.key}: ${types}${lost}`);
  });
  const heading = `${countText(count)} alive, ${sizeText(bytes)}, by ${by}`;
  return [heading, ...(all.length > 0 ? [row('count', 'bytes', by)] : []), ...lines].join('\n');
}

function row(count: string, bytes: string, rest: string): string {
  return `${count.padStart(7)} ${bytes.padStart(10)}  ${rest}`;
}

function keyOf(record: TensorRecord, by: Grouping): string {
  switch (by) {
    case 'site':
      return `${makerOf(record)}${record.isSampled ? '' : ' at a place not sampled'}`;
    case 'op':
      return opOf(record);
    case 'scope':
      return ownerOf(record);
    default:
      throw new Error(`report() groups by 'site', 'op' or 'scope', not by '${String(by)}'`);
  }
}
