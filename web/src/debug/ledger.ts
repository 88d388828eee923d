// The functions that the package calls in a debug build, to record what happens to tensors and scopes.
import { kSlotBits } from '../generated/boundary.js';
import { wasm } from '../runtime/runtime.js';
import {
  captureScopeSite,
  dead,
  live,
  namedScopes,
  openScopes,
  runWithFallbackSite,
  syncRecords,
  watchTensor,
} from './ledger_records.js';
import { recordFinding, flushWarnings, warn } from './diagnostics.js';
import { reportRepeatedKeeps, noteKept, noteReturned } from './repeated_keeps.js';
import { endCapture, startCapture, type EntryPoint } from './library_frames.js';
import {
  at,
  formatCount,
  describeMaker,
  describeOrigin,
  getSiteText,
  formatType,
  type Ending,
  type ScopeRecord,
  type TensorRecord,
} from './records.js';
import { captureSite, getSite, isCalledByUser, type Site } from './call_site.js';
import { dropsTailCalls } from './stack_traits.js';
import { runInAsyncContext } from './unscoped_tensors.js';

export { beginOp, setCurrentOp, startsCapture } from './ledger_records.js';
export { flushWarnings } from './diagnostics.js';

/** Number of slots of scopes. The slot is in the low bits of a scope's id. */
const kScopeSlots = 2 ** kSlotBits;

/** Frames from Tensor.dispose() to the user's in x.dispose(). */
const kDisposeDepth = 2;

/** The label and the call site of a scope that is about to open. */
export interface ScopeOpening {
  readonly label: string;
  readonly site: Site | undefined;
}

/** Call sites of async functions that make tensors after an await, by an object of each call. */
const calls = new WeakMap<object, Site>();

let checksValues = false;

/** Starts or stops the reports of results with NaN or infinite values. */
export function checkValues(on: boolean): void {
  checksValues = on;
}

/**
 * Records the call site of an async function for runAsCalled(), before it first awaits. `call` is an object of the call. Keeps an
 * earlier site unless code of the user has called the package in the current job.
 */
export function noteCall(call: object): void {
  if (calls.has(call) && !isCalledByUser()) return;
  const site = captureSite();
  if (site) calls.set(call, site);
}

/**
 * Runs `body` for the call that noteCall() has recorded. Its tensors get the call's site unless code of the user makes them in the
 * current job: after an await, the stack has the user's code only where that awaits the promise.
 */
export function runAsCalled<T>(call: object, body: () => T): T {
  return runWithFallbackSite(calls.get(call), body);
}

/** Records that the object of a tensor was made. Checks its values if checkValues() is on. */
export function made(tensor: object, id: number): void {
  syncRecords(undefined, tensor.constructor as EntryPoint);
  const record = live.get(id);
  if (!record) return;
  watchTensor(tensor, record);
  if (!checksValues) return;
  check(record);
  try {
    flushWarnings();
  } catch (error) {
    // The caller does not get the object.
    wasm._tn_dispose(id);
    throw error;
  }
}

/** Attributes the pending frees to a caller, such as 'tidy "pre"', and its call site. */
export function attributeFrees(by: string, site = captureScopeSite()): void {
  syncRecords({ by, site });
}

/** Attributes the pending frees to the op that made the tensors, as its temporaries. */
export function attributeFreesToOp(): void {
  syncRecords();
}

/** True if the call site of a tensor's dispose() is to be recorded. Then the next Error is for disposeTensor(). */
export function startsDispose(id: number): boolean {
  syncRecords();
  if (!live.get(id)?.site) return false;
  startCapture(kDisposeDepth);
  return true;
}

/**
 * Disposes a tensor and records its end: `disposeTensor(id, startsDispose(id) ? new Error() : undefined)`. Warns if it is disposed
 * already.
 */
export function disposeTensor(id: number, captured: Error | undefined): void {
  const site = captured && getSite(endCapture(captured));
  const record = live.get(id) ?? dead.get(id);
  if (wasm._tn_dispose(id) !== 0) {
    syncRecords({ by: 'dispose', site });
  } else if (record && !record.wasFreedTwice) {
    record.wasFreedTwice = true;
    const site = captureSite();
    warn(
      'double-dispose',
      `Tensor #${id} ${describeOrigin(record)} was disposed by ${formatEnding(record.ending)}, and again${at(site)}`,
      site?.text,
    );
    flushWarnings();
  }
}

/** Returns the label and the call site of a scope. Called before it opens, while its caller is on the stack. */
export function describeOpening(kind: string, name: string): ScopeOpening {
  const site = captureScopeSite();
  // If the body of a scope opens another one by a tail call, its frame is dropped: the site found is that of the enclosing scope.
  const isOuter = dropsTailCalls && [...namedScopes].some((scope) => scope.site === site);
  return { label: name ? `${kind} "${name}"` : kind, site: isOuter ? site?.withoutLine() : site };
}

/** Records that a scope has opened. */
export function opened(scope: number, { label, site }: ScopeOpening): void {
  syncRecords();
  const record = getScopeRecord(scope);
  if (!record) return;
  record.label = label;
  namedScopes.add(record);
  record.site = site;
}

/** Records that a tensor is about to be kept. */
export function onKeep(id: number): void {
  syncRecords();
  const record = live.get(id);
  if (!record) return;
  record.isKept = true;
  if (typeof record.owner === 'object') noteKept(record, record.owner);
}

/** Records the tensors that a scope returns, and warns of others that it has kept. Called before the tensors are moved. */
export function onScopeReturn(ids: readonly number[], scope: number): void {
  syncRecords();
  const own = getScopeRecord(scope);
  if (own?.label === undefined) return;
  for (const id of ids) {
    const record = live.get(id);
    if (record) noteReturned(record, own);
  }
  own.isJudged = true;
  reportRepeatedKeeps(own);
  flushWarnings();
}

/** Calls the function of a scope's run(), and tracks its async code. */
export function runTracked<T>(scope: number, body: () => T): T {
  return runInAsyncContext(getScopeRecord(scope), body);
}

/**
 * Records that a tensor was used after it was disposed, and returns its history: "Tensor #812 float32[3] made by add at
 * a.ts:10:5 was disposed by tidy "pre" at b.ts:22:3". Returns `name` if the tensor has no record.
 */
export function describeUseAfterDispose(id: number, name: string): string {
  syncRecords();
  const record = dead.get(id);
  const story = record
    ? `Tensor #${id} ${describeOrigin(record)} was disposed by ${formatEnding(record.ending)}`
    : name;
  recordFinding('use-after-dispose', story, captureSite()?.text);
  return story;
}

/** Records a message about a scope that closed with tensors still alive. */
export function recordLeak(message: string): void {
  recordFinding('leak', message, captureSite()?.text);
}

function getScopeRecord(scope: number): ScopeRecord | undefined {
  return openScopes.get(scope % kScopeSlots);
}

function check(record: TensorRecord): void {
  const count = wasm._tn_count_not_finite(record.id);
  if (count <= 0) return;
  const which = formatCount(count, 'NaN or infinite value');
  const message = `Found ${which} in the result of ${describeMaker(record)}: Tensor #${record.id} ${formatType(record)}`;
  warn('not-finite', message, getSiteText(record));
}

function formatEnding(ending: Ending | undefined): string {
  return ending ? `${ending.by}${at(ending.site)}` : 'the op that made it';
}
