import { findings, type FindingKind } from './diagnostics.js';
import { syncRecords, timeline, namedScopes, type TimelineEntry, type TimelineKind } from './ledger_records.js';
import { at, describeOrigin, getScopePath, getSiteText, type ScopeRecord, type TensorRecord } from './records.js';

/** An event of a tensor or a scope, or a finding. */
export interface DebugEvent {
  /** 'allocate', 'free', 'open', 'close', or the kind of a finding. */
  readonly kind: TimelineKind | FindingKind;
  /** Milliseconds, as performance.now() counts them. */
  readonly time: number;
  /** Description of the tensor, the scope or the finding. */
  readonly message: string;
  /** Call site, such as "app.ts:41:20"; empty if it is unknown. */
  readonly site: string;
}

/** Returns the recorded changes in the order of time, with the openings of scopes that are still open. */
export function history(): TimelineEntry[] {
  syncRecords();
  const all = [...timeline];
  for (const scope of namedScopes) all.push({ time: scope.opened, kind: 'open', what: scope, bytes: 0 });
  return all.sort((a, b) => a.time - b.time);
}

/** Returns the recorded changes and the findings in the order of time. */
export function events(): DebugEvent[] {
  return [...history().map(toDebugEvent), ...findings()].sort((a, b) => a.time - b.time);
}

function toDebugEvent({ kind, time, what }: TimelineEntry): DebugEvent {
  if (isScope(what)) return { kind, time, message: getScopePath(what), site: what.site?.text ?? '' };
  if (kind === 'allocate') return { kind, time, message: describeOrigin(what), site: getSiteText(what) };
  const by = what.ending ? ` was disposed by ${what.ending.by}${at(what.ending.site)}` : ' was freed by its op';
  return { kind, time, message: describeOrigin(what) + by, site: what.ending?.site?.text ?? '' };
}

/** True for a scope, false for a tensor. */
export function isScope(what: TensorRecord | ScopeRecord): what is ScopeRecord {
  return 'opened' in what;
}
