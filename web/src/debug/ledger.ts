// The functions that the package calls in a debug build, to record what happens to tensors and scopes.
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

/** Number of slots of scopes. The slot is in the low bits of a scope's id. */
const kScopeSlots = 2 ** kSlotBits;

/** The label and the call site of a scope that is about to open. */
export interface Opening {
  readonly label: string;
  readonly site: Site | undefined;
}

let checksValues = false;

/** Starts or stops the reports of results with NaN or infinite values. */
export function checkValues(on: boolean): void {
  checksValues = on;
}

/** Records that the object of a tensor was made. Checks its values if checkValues() is on. */
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
    // The caller does not get the object.
    wasm._tn_dispose(id);
    throw error;
  }
}

/** Attributes the pending frees to a caller, such as 'tidy "pre"', and its call site. */
export function ended(by: string, site = scopeSite()): void {
  drain({ by, site });
}

/** Attributes the pending frees to the op that made the tensors, as its temporaries. */
export function endedCall(): void {
  drain();
}

/** Disposes a tensor and records its end. Warns if it is disposed already. */
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

/** Returns the label and the call site of a scope. Called before it opens, while its caller is on the stack. */
export function opening(kind: string, name: string): Opening {
  const site = scopeSite();
  // If the body of a scope opens another one by a tail call, its frame is dropped: the site found is that of the enclosing scope.
  const isOuter = dropsTailCalls && [...namedScopes].some((scope) => scope.site === site);
  return { label: name ? `${kind} "${name}"` : kind, site: isOuter ? site?.withoutLine() : site };
}

/** Records that a scope has opened. */
export function opened(scope: number, { label, site }: Opening): void {
  drain();
  const record = recordOf(scope);
  if (!record) return;
  record.label = label;
  namedScopes.add(record);
  record.site = site;
}

/** Records that a tensor is about to be kept. */
export function keeping(id: number): void {
  drain();
  const record = live.get(id);
  if (!record) return;
  record.isKept = true;
  if (typeof record.owner === 'object') noteKept(record, record.owner);
}

/** Records the tensors that a scope returns, and warns of others that it has kept. Called before the tensors are moved. */
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

/** Calls the function of a scope's run(), and tracks its async code. */
export function running<T>(scope: number, body: () => T): T {
  return runMarked(recordOf(scope), body);
}

/**
 * Records that a tensor was used after it was disposed, and returns its history: "Tensor #812 float32[3] made by add at
 * a.ts:10:5 was disposed by tidy "pre" at b.ts:22:3". Returns `name` if the tensor has no record.
 */
export function usedLate(id: number, name: string): string {
  drain();
  const record = dead.get(id);
  const story = record ? `Tensor #${id} ${originOf(record)} was disposed by ${endText(record.ending)}` : name;
  find('use-after-dispose', story, siteHere()?.text);
  return story;
}

/** Records that a scope closed with tensors still alive, and returns a message about them. */
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
