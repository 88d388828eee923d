import type { DataType } from '../runtime/types.js';
import type { Site } from './call_site.js';
import { dropsTailCalls, kLineUnknown } from './stack_traits.js';

const kMaxLabels = 16;

/** The call that freed a tensor: "tidy "pre" at app.ts:22:3". */
export interface Ending {
  /** Name of the function or of the scope. */
  readonly by: string;
  /** Call site, if it was recorded. */
  readonly site?: Site | undefined;
}

/** The record of a scope that is open or closed. */
export interface ScopeRecord {
  /** Number of the scope, in the order of their opening. */
  readonly serial: number;
  /** Undefined for an internal scope, which the package opens for its own temporaries. */
  label?: string;
  /** Call site at which the scope was opened. */
  site?: Site | undefined;
  /** Scope around it; undefined for an outermost scope. */
  readonly parent: ScopeRecord | undefined;
  /** Time of its opening in milliseconds, as performance.now() counts them. */
  readonly opened: number;
  /** Time of its end, once it is closed. */
  closed?: number;
  /** Tensors that were kept while this scope owned them. */
  kept?: Set<TensorRecord>;
  /** True if its kept tensors were checked before its end. */
  isJudged?: boolean;
}

/** The owner that frees a tensor: a scope, a holder such as a variable or a model, or the caller. */
export type Owner = ScopeRecord | 'holder' | 'caller';

/** The record of a tensor that is alive or freed. It holds no reference to the tensor's object, so it does not keep it alive. */
export interface TensorRecord {
  /** Number of the tensor, in the order of allocation. */
  readonly serial: number;
  /** Id of the tensor in the engine. */
  readonly id: number;
  /** The public function that made it if stacks have names, else the engine's op. getOpName() also reads the source. */
  readonly op: string;
  /** Element type. */
  readonly dtype: DataType;
  /** Shape. */
  readonly shape: readonly number[];
  /** Bytes of the elements. */
  readonly bytes: number;
  /** Call site at which the tensor was made, if it was recorded. */
  readonly site: Site | undefined;
  /** False if sampling has left out its call site: see setSampling(). */
  readonly isSampled: boolean;
  /** The scope in which it was made. */
  readonly scope: ScopeRecord | undefined;
  /** Time of the allocation in milliseconds, as performance.now() counts them. */
  readonly born: number;
  /** Owner that frees it. */
  owner: Owner;
  /** The scope that has to return it, since it was kept inside. */
  keptIn?: ScopeRecord | undefined;
  /** True if it was ever kept. */
  isKept?: boolean;
  /** True if its object was garbage-collected before it was freed. */
  isLost?: boolean;
  /** True if it was disposed again after it was freed. */
  wasFreedTwice?: boolean;
  // Always there, so that records of freed tensors have the layout of the others.
  /** True if its object is registered for garbage collection. */
  isWatched: boolean;
  /** Time at which it was freed. */
  died: number | undefined;
  /** Call that freed it. */
  ending: Ending | undefined;
}

/** Returns the type of a tensor: "float32[1,224,224,3]". */
export function formatType({ dtype, shape }: { dtype: string; shape: readonly number[] }): string {
  return `${dtype}[${shape.join(',')}]`;
}

/** Returns " at app.ts:41:20", " (line unknown: ...)", or '' without a site. */
export function at(site: Site | undefined): string {
  if (!site) return '';
  return site.isKnown ? ` at ${site.text}` : ` (${site.text})`;
}

/** Returns the public function that made a tensor, such as "fromPixels", or the engine's op if that is unknown. */
export function getOpName({ op, site }: TensorRecord): string {
  return site?.writtenName ?? op;
}

/** Returns "app.ts:41:20", "line unknown: ...", or '' if no site was recorded or no code of the user is on the stack. */
export function getSiteText({ site, isSampled }: TensorRecord): string {
  return site?.text ?? (isSampled && dropsTailCalls ? kLineUnknown : '');
}

/** Returns the op and the call site of a tensor: "add at app.ts:41:20", "add (line unknown: ...)", or "add". */
export function describeMaker(record: TensorRecord): string {
  const text = getSiteText(record);
  const place = record.site ? at(record.site) : text && ` (${text})`;
  return `${getOpName(record)}${place}`;
}

/** Returns the type, op and call site of a tensor: "float32[3] made by add at app.ts:41:20". */
export function describeOrigin(record: TensorRecord): string {
  return `${formatType(record)} made by ${describeMaker(record)}`;
}

/** Returns the path of a scope, such as 'scope "frame" > tidy "pre"': the innermost 16 labels; '' for the caller. */
export function getScopePath(scope: ScopeRecord | undefined): string {
  const labels: string[] = [];
  for (let each = scope; each; each = each.parent) {
    if (each.label === undefined) continue;
    labels.unshift(each.label);
    if (labels.length < kMaxLabels) continue;
    labels.unshift('...');
    break;
  }
  return labels.join(' > ');
}

/** Returns a number of bytes as text: "1.2 MB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

/** Returns a count with a noun in singular or plural: "3 tensors". */
export function formatCount(count: number, noun = 'tensor'): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
