import { findings, type FindingKind } from './findings.js';
import { drain, moments, namedScopes, type Moment } from './book.js';
import { at, originOf, pathOf, siteText, type ScopeRecord, type TensorRecord } from './records.js';

/** Something that happened. */
export interface DebugEvent {
  readonly kind: Moment['kind'] | FindingKind;
  /** Milliseconds, as performance.now() counts them. */
  readonly time: number;
  readonly message: string;
  /** "app.ts:41:20"; empty where it is not known. */
  readonly site: string;
}

/** Births, deaths and scopes in the order of time, as far back as they are kept; also those of scopes still open. */
export function history(): Moment[] {
  drain();
  const all = [...moments];
  for (const scope of namedScopes) all.push({ time: scope.opened, kind: 'open', what: scope, bytes: 0 });
  return all.sort((a, b) => a.time - b.time);
}

/** What happened of late, with the findings. */
export function events(): DebugEvent[] {
  return [...history().map(eventOf), ...findings()].sort((a, b) => a.time - b.time);
}

function eventOf({ kind, time, what }: Moment): DebugEvent {
  if (isScope(what)) return { kind, time, message: pathOf(what), site: what.site?.text ?? '' };
  if (kind === 'allocate') return { kind, time, message: originOf(what), site: siteText(what) };
  const by = what.ending ? ` was disposed by ${what.ending.by}${at(what.ending.site)}` : ' was freed by its op';
  return { kind, time, message: originOf(what) + by, site: what.ending?.site?.text ?? '' };
}

/** Tells a scope from a tensor. */
export function isScope(what: TensorRecord | ScopeRecord): what is ScopeRecord {
  return 'opened' in what;
}
