import { Ring } from './ring.js';

/** What the ledger holds against a program. */
export type FindingKind =
  | 'leak'
  | 'kept'
  | 'double-dispose'
  | 'use-after-dispose'
  | 'collected'
  | 'abandoned'
  | 'no-scope'
  | 'not-finite';

/** Something that deserves a look. */
export interface Finding {
  readonly kind: FindingKind;
  /** Milliseconds, as performance.now() counts them. */
  readonly time: number;
  readonly message: string;
  /** "app.ts:41:20", where it is known. */
  readonly site: string;
}

const kMostFindings = 1000;
const kMostWarnings = 10_000;

const ring = new Ring<Finding>(kMostFindings);
const warned = new Set<string>();

/** The last findings, the oldest first. */
export function findings(): Finding[] {
  return [...ring];
}

/** Writes a finding down. */
export function find(kind: FindingKind, message: string, site = ''): void {
  ring.push({ kind, time: performance.now(), message, site });
}

const waiting: string[] = [];

/** The same, with a warning on the console for the first of its kind from each site, at the next tell() or soon. */
export function warn(kind: FindingKind, message: string, site = '', key = site): void {
  find(kind, message, site);
  const once = `${kind} ${key || message}`;
  if (warned.has(once) || warned.size >= kMostWarnings) return;
  warned.add(once);
  if (waiting.push(message) === 1) queueMicrotask(tell);
}

/** Writes the warnings that wait. To be called where nothing is half done, since a program's console may throw. */
export function tell(): void {
  while (waiting.length > 0) console.warn(waiting.shift());
}
