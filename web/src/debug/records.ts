import type { DataType } from '../runtime/types.js';
import type { Site } from './call_site.js';
import { dropsTailCalls, kLineUnknown } from './stack_traits.js';

const kMostLabels = 16;

/** How something came to its end: "tidy "pre" at app.ts:22:3". */
export interface Ending {
  readonly by: string;
  readonly site?: Site | undefined;
}

/** A scope that is open, or was. */
export interface ScopeRecord {
  readonly serial: number;
  /** Undefined for one that the package opened for its own temporaries. */
  label?: string;
  site?: Site | undefined;
  readonly parent: ScopeRecord | undefined;
  readonly opened: number;
  closed?: number;
  /** What was kept while it belonged here. */
  kept?: Set<TensorRecord>;
  /** Whether it was judged by what it kept before its end. */
  isJudged?: boolean;
}

/** Who frees a tensor: a scope, a holder such as a variable or a model, or the caller. */
export type Owner = ScopeRecord | 'holder' | 'caller';

/** A tensor that is alive, or was. Strings and numbers only, so that it keeps nothing alive. */
export interface TensorRecord {
  readonly serial: number;
  readonly id: number;
  /** What made it: the public function that was called where stacks tell it, else the engine's op. opOf() knows more. */
  readonly op: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly bytes: number;
  readonly site: Site | undefined;
  /** False if no site was taken, as setSampling() asks for. */
  readonly isSampled: boolean;
  /** In which it was made. */
  readonly scope: ScopeRecord | undefined;
  readonly born: number;
  owner: Owner;
  /** The scope that is to return it, since it was kept inside. */
  keptIn?: ScopeRecord | undefined;
  /** Whether it was ever kept. */
  isKept?: boolean;
  /** Whether its object was collected before it was freed. */
  isLost?: boolean;
  /** Whether it was disposed when it was gone already. */
  wasFreedTwice?: boolean;
  died?: number;
  ending?: Ending | undefined;
}

/** "float32[1,224,224,3]". */
export function typeOf({ dtype, shape }: { dtype: string; shape: readonly number[] }): string {
  return `${dtype}[${shape.join(',')}]`;
}

/** " at app.ts:41:20", or nothing; in parentheses, that the line is unknown. */
export function at(site: Site | undefined): string {
  if (!site) return '';
  return site.isKnown ? ` at ${site.text}` : ` (${site.text})`;
}

/** "add", "fromPixels": the function that was called, or the engine's op where that is unknown. */
export function opOf({ op, site }: TensorRecord): string {
  return site?.writtenName ?? op;
}

/** "app.ts:41:20", that the line is unknown, or nothing where none was taken or the package was called by nobody's code. */
export function siteText({ site, isSampled }: TensorRecord): string {
  return site?.text ?? (isSampled && dropsTailCalls ? kLineUnknown : '');
}

/** "add at app.ts:41:20", "add (line unknown: ...)", or "add". */
export function makerOf(record: TensorRecord): string {
  const text = siteText(record);
  const place = record.site ? at(record.site) : text && ` (${text})`;
  return `${opOf(record)}${place}`;
}

/** "float32[3] made by add at app.ts:41:20". */
export function originOf(record: TensorRecord): string {
  return `${typeOf(record)} made by ${makerOf(record)}`;
}

/** 'scope "frame" > tidy "pre"', of the innermost scopes; empty for the caller. */
export function pathOf(scope: ScopeRecord | undefined): string {
  const labels: string[] = [];
  for (let each = scope; each; each = each.parent) {
    if (each.label === undefined) continue;
    labels.unshift(each.label);
    if (labels.length < kMostLabels) continue;
    labels.unshift('...');
    break;
  }
  return labels.join(' > ');
}

/** "1.2 MB". */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

/** "3 tensors". */
export function countText(count: number, noun = 'tensor'): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
