import { Ring } from './ring.js';

/** The kind of a problem that the debug build has found in a program. */
export type FindingKind =
  | 'leak'
  | 'kept'
  | 'double-dispose'
  | 'use-after-dispose'
  | 'collected'
  | 'abandoned'
  | 'no-scope'
  | 'not-finite';

/** A problem that the debug build has found in a program. */
export interface Finding {
  readonly kind: FindingKind;
  /** Milliseconds, as performance.now() counts them. */
  readonly time: number;
  readonly message: string;
  /** Call site, such as "app.ts:41:20"; empty if it is unknown. */
  readonly site: string;
}

const kMaxFindings = 1000;
const kMaxWarnings = 10_000;

const ring = new Ring<Finding>(kMaxFindings);
const warned = new Set<string>();

/** Returns the last findings, the oldest first. */
export function findings(): Finding[] {
  return [...ring];
}

/** Records a finding. */
export function recordFinding(kind: FindingKind, message: string, site = ''): void {
  ring.push({ kind, time: performance.now(), message, site });
}

const queuedWarnings: string[] = [];

/**
 * Records a finding, and queues a warning on the console for the first one of its kind and key (by default the call site). The
 * next flushWarnings() writes it, or a microtask.
 */
export function warn(kind: FindingKind, message: string, site = '', key = site): void {
  recordFinding(kind, message, site);
  const once = `${kind} ${key || message}`;
  if (warned.has(once) || warned.size >= kMaxWarnings) return;
  warned.add(once);
  if (queuedWarnings.push(message) === 1) queueMicrotask(flushWarnings);
}

/** Writes the queued warnings. Call it only where the state is consistent, since a program's console may throw. */
export function flushWarnings(): void {
  while (queuedWarnings.length > 0) console.warn(queuedWarnings.shift());
}
