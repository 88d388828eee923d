// What the engine tells the ledger, in a debug build.
import { kSlotBits } from '../generated/boundary.js';
import { wasm } from '../runtime/runtime.js';
import { dead, drain, ledgerCalls, live, namedScopes, openScopes, scopeSite, watch } from './book.js';
import { find, tell, warn } from './findings.js';
import { judgeKept, noteKept, noteReturned } from './kept.js';
import type { Entrance } from './own_code.js';
import { at, countText, makerOf, originOf, siteText, sizeText, typeOf, type Ending, type ScopeRecord, type TensorRecord } from './records.js';
import { siteHere, type Site } from './call_site.js';
import { dropsTailCalls } from './stack_traits.js';
import { runMarked } from './strays.js';

export { doing } from './book.js';
export { tell } from './findings.js';

/** A scope's slot is in the low bits of its number. */
const kScopeSlots = 2 ** kSlotBits;

/** A scope that is about to open, and where. */
export interface Opening {
  readonly label: string;
  readonly site: Site | undefined;
}

let checksValues = false;

/** From now on, results with NaN or infinite values are reported. */
export function checkValues(on: boolean): void {
  checksValues = on;
}

/** A tensor's object was made. */
export function made(tensor: object, id: number): void {
  drain(undefined, { below: tensor.constructor as Entrance['below'], depth: 8 });
  const record = live.get(id);
  if (!record) return;
  watch(tensor, record);
  if (!checksValues) return;
  check(record);
  try {
    tell();
  } catch (error) {
    // Nobody gets the object.
    wasm._tn_dispose(id);
    throw error;
  }
}

/** What was freed since the last time, was freed by this; without it, by the op that is at work. */
export function ended(by: string, site = scopeSite()): void {
  drain({ by, site });
}

/** An op's own temporaries were freed. */
export function endedCall(): void {
  drain();
}

/** Frees a tensor by hand. */
export function disposeOf(id: number): void {
  drain();
  const record = live.get(id) ?? dead.get(id);
  const entrance = { below: disposeOf, depth: 4 };
  if (wasm._tn_dispose(id) !== 0) {
    drain({ by: 'dispose', site: record?.site && siteHere(entrance) });
  } else if (record && !record.wasFreedTwice) {
    record.wasFreedTwice = true;
    const site = siteHere(entrance);
    warn('double-dispose', `Tensor #${id} ${originOf(record)} was disposed by ${endText(record.ending)}, and again${at(site)}`, site?.text);
    tell();
  }
}

/** To be asked before a scope opens, where its user's calls can be seen. */
export function opening(kind: string, name: string): Opening {
  const site = scopeSite();
  // The body of a scope that ends by opening another has no frame left there: the place is that of the scope around it.
  const isOuter = dropsTailCalls && [...namedScopes].some((scope) => scope.site === site);
  return { label: name ? `${kind} "${name}"` : kind, site: isOuter ? site?.withoutLine() : site };
}

/** A scope opened. */
export function opened(scope: number, { label, site }: Opening): void {
  drain();
  const record = recordOf(scope);
  if (!record) return;
  record.label = label;
  namedScopes.add(record);
  record.site = site;
}

/** A tensor is about to be kept. */
export function keeping(id: number): void {
  drain();
  const record = live.get(id);
  if (!record) return;
  record.isKept = true;
  if (typeof record.owner === 'object') noteKept(record, record.owner);
}

/** A scope gives tensors as its result, and is about to end. What it says of others it says before they are handed over. */
export function returning(ids: readonly number[], scope: number): void {
  drain();
  const own = recordOf(scope);
  if (own?.label === undefined) return;
  for (const id of ids) {
    const record = live.get(id);
    if (record) noteReturned(record, own);
  }
  own.isJudged = true;
  judgeKept(own);
  tell();
}

/** Calls what was given to a scope's run(). */
export function running<T>(scope: number, body: () => T): T {
  return runMarked(recordOf(scope), body);
}

/**
 * Writes down that a tensor was used after its end, and gives its story: "Tensor #812 float32[3] made by add at a.ts:10:5
 * was disposed by tidy "pre" at b.ts:22:3".
 */
export function usedLate(id: number, name: string): string {
  drain();
  const record = dead.get(id);
  const story = record ? `Tensor #${id} ${originOf(record)} was disposed by ${endText(record.ending)}` : name;
  find('use-after-dispose', story, siteHere()?.text);
  return story;
}

/** Writes down that a scope closed over live tensors, and gives the words for it. */
export function survivors(name: string, count: number, bytes: number, which: string): string {
  const scope = name ? `scope "${name}"` : 'scope';
  const message = `${scope}: ${countText(count)} (${sizeText(bytes)}) still alive: ${which}`;
  find('leak', message, siteHere()?.text);
  return message;
}

function recordOf(scope: number): ScopeRecord | undefined {
  return openScopes.get(scope % kScopeSlots);
}

function check(record: TensorRecord): void {
  const count = ledgerCalls()._tn_count_not_finite(record.id);
  if (count <= 0) return;
  const which = countText(count, 'NaN or infinite value');
  const message = `Found ${which} in the result of ${makerOf(record)}: Tensor #${record.id} ${typeOf(record)}`;
  warn('not-finite', message, siteText(record));
}

function endText(ending: Ending | undefined): string {
  return ending ? `${ending.by}${at(ending.site)}` : 'the op that made it';
}
