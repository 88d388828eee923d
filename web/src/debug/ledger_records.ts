import { Entry } from '../generated/boundary.js';
import { readId, wasm, whenLoaded } from '../runtime/runtime.js';
import { kDataTypes } from '../runtime/types.js';
import { flushWarnings, warn } from './diagnostics.js';
import { endCapture, startCapture, type EntryPoint } from './library_frames.js';
import { reportRepeatedKeeps } from './repeated_keeps.js';
import {
  describeOrigin,
  getSiteText,
  type Ending,
  type Owner,
  type ScopeRecord,
  type TensorRecord,
} from './records.js';
import { Ring } from './ring.js';
import { captureSite, getSite, isCalledByUser, type Site } from './call_site.js';
import { hasNames } from './stack_traits.js';
import { sizeInBytes } from '../util/values.js';
import { scheduleUnscopedCheck } from './unscoped_tensors.js';

/** The call site of an op, unless sampling leaves it out. */
interface CallSample {
  readonly site: Site | undefined;
  readonly isSampled: boolean;
}

/** Frames from a function of ops/call.ts to the user's in x.add(y). */
const kOpDepth = 4;
const kMaxDead = 10_000;
const kMaxTimelineEntries = 20_000;

/** Fate of a tensor or a scope. */
export type TimelineKind = 'allocate' | 'free' | 'open' | 'close';

/** A change of what is alive: a tensor was allocated or freed, or a scope opened or closed. */
export interface TimelineEntry {
  /** Milliseconds, as performance.now() counts them. */
  readonly time: number;
  /** The event: a tensor is allocated or freed, a scope opens or closes. */
  readonly kind: TimelineKind;
  /** The tensor or the scope. */
  readonly what: TensorRecord | ScopeRecord;
  /** Bytes of live tensors after the change. */
  readonly bytes: number;
}

/** The live tensors, by their ids. */
export const live = new Map<number, TensorRecord>();
/** The last tensors that were freed, by their ids. */
export const dead = new Map<number, TensorRecord>();
/** The open scopes, by their slots. */
export const openScopes = new Map<number, ScopeRecord>();
/** The open scopes that the user has opened, in the order of opening. */
export const namedScopes = new Set<ScopeRecord>();
/** The last changes of what is alive. */
export const timeline = new Ring<TimelineEntry>(kMaxTimelineEntries);

/** Tensors to be registered. They are not collected until then. */
const unregistered: { tensor: object; record: TensorRecord }[] = [];
const kMaxUnregistered = 64;
const deaths = new Ring<TensorRecord>(kMaxDead);
let liveBytes = 0;
let lastSerial = 0;
let op = 'tensor';
let samplingRate = 1;
let sampled = 0;
/** The call of an op whose results have no records yet. */
let pendingCall: CallSample | undefined;
/** The call site of tensors that no code of the user makes in the current job. */
let fallbackSite: Site | undefined;

const tensorRegistry = __DEBUG__
  ? new FinalizationRegistry<TensorRecord>((record) => {
      syncRecords();
      if (live.get(record.id) !== record || record.owner !== 'caller') return;
      record.isLost = true;
      warn('collected', `Tensor ${describeOrigin(record)} was collected without dispose`, getSiteText(record));
      flushWarnings();
    })
  : undefined;
if (__DEBUG__) whenLoaded(() => wasm._tn_ledger_listen(1));

/**
 * Watches a tensor's object: a warning is written if it is garbage-collected before the tensor is freed. Registers it at the end
 * of the current job, because most tensors are freed before, and registering takes as long as the rest of a record.
 */
export function watchTensor(tensor: object, record: TensorRecord): void {
  const count = unregistered.push({ tensor, record });
  if (count === 1) queueMicrotask(registerTensors);
  else if (count >= kMaxUnregistered) registerTensors();
}

function registerTensors(): void {
  for (const { tensor, record } of unregistered) {
    if (record.died !== undefined) continue;
    record.isWatched = true;
    tensorRegistry!.register(tensor, record, record);
  }
  unregistered.length = 0;
}

/** Sets the fraction of tensors whose call sites are recorded: 0 for none, 1 for all. Throws for other numbers. */
export function setSampling(rate: number): void {
  if (!(rate >= 0 && rate <= 1)) throw new Error(`a sampling rate is between 0 and 1, got ${rate}`);
  samplingRate = rate;
}

/** Returns the call site of a scope's beginning or end; undefined if the sampling rate is 0. */
export function captureScopeSite(): Site | undefined {
  return samplingRate > 0 ? captureSite(true) : undefined;
}

/** Runs `body`. Tensors that it makes without code of the user in the current job, as after an await, get the call site `site`. */
export function runWithFallbackSite<T>(site: Site | undefined, body: () => T): T {
  const outer = fallbackSite;
  fallbackSite = site;
  try {
    return body();
  } finally {
    fallbackSite = outer;
  }
}

/** Sets the name of the op that makes the next tensors. */
export function setCurrentOp(name: string): void {
  op = name;
  pendingCall = undefined;
}

/** True if the call site of the next op is to be recorded. Then the next Error is for beginOp(). */
export function startsCapture(): boolean {
  if (!takesSample()) return false;
  startCapture(kOpDepth);
  return true;
}

/**
 * Sets the name of the op that makes the next tensors, and records its call site, which takes less time here than in the tensors'
 * constructor: `beginOp(name, startsCapture() ? new Error() : undefined)`. Call it directly before the engine runs the op, so that
 * nothing throws in between.
 */
export function beginOp(name: string, captured: Error | undefined): void {
  op = name;
  pendingCall = {
    site: captured && (getSite(endCapture(captured)) ?? fallbackSite),
    isSampled: captured !== undefined,
  };
}

/**
 * Updates the records from the engine's ledger. Tensors that were freed since the last call get `ending`; without it, their own
 * op has freed them. `entryPoint` helps to find the call site of new tensors, unless beginOp() has recorded it.
 */
export function syncRecords(ending?: Ending, entryPoint?: EntryPoint): void {
  const count = wasm._tn_ledger_words();
  let call = pendingCall;
  pendingCall = undefined;
  if (count === 0) return;
  const from = wasm._tn_ledger_take() >>> 2;
  const { HEAP32 } = wasm;
  // A copy, because a tool's Error.prepareStackTrace() may run below. slice() and subarray() take longer.
  const words: number[] = [];
  for (let i = 0; i < count; i++) words.push(HEAP32[from + i]!);
  const time = performance.now();
  for (let i = 0; i < count; ) {
    switch (words[i] as Entry) {
      case Entry.born:
        call ??= sampleCall(entryPoint);
        born(words, i + 1, call, time);
        i += 6 + words[i + 5]!;
        break;
      case Entry.died:
        died(readId(words, i + 1), ending, time);
        i += 3;
        break;
      case Entry.moved:
        moved(readId(words, i + 1), getOwner(words[i + 3]!));
        i += 4;
        break;
      case Entry.opened:
        scopeOpened(words[i + 1]!, words[i + 2]!, time);
        i += 3;
        break;
      case Entry.closed:
        scopeClosed(words[i + 1]!, time);
        i += 2;
        break;
    }
  }
}

function sampleCall(entryPoint?: EntryPoint): CallSample {
  const isSampled = takesSample();
  if (!isSampled) return { site: undefined, isSampled };
  if (fallbackSite && !isCalledByUser(entryPoint)) return { site: fallbackSite, isSampled };
  return { site: captureSite(false, entryPoint) ?? fallbackSite, isSampled };
}

function takesSample(): boolean {
  sampled += samplingRate;
  if (sampled < 1) return false;
  sampled -= 1;
  return true;
}

function born(words: readonly number[], at: number, { site, isSampled }: CallSample, born: number): void {
  const id = readId(words, at);
  const owner = words[at + 2]!;
  const dtype = kDataTypes[words[at + 3]!]!;
  const rank = words[at + 4]!;
  const shape: number[] = [];
  for (let i = 0; i < rank; i++) shape.push(words[at + 5 + i]!);
  const record: TensorRecord = {
    serial: ++lastSerial,
    id,
    op: (hasNames && site?.called) || op,
    dtype,
    shape,
    bytes: sizeInBytes(shape, dtype),
    site,
    isSampled,
    scope: openScopes.get(owner),
    born,
    owner: getOwner(owner),
    isWatched: false,
    died: undefined,
    ending: undefined,
  };
  live.set(id, record);
  liveBytes += record.bytes;
  timeline.push({ time: born, kind: 'allocate', what: record, bytes: liveBytes });
  if (record.owner === 'caller') scheduleUnscopedCheck(record, namedScopes, syncRecords);
}

function died(id: number, ending: Ending | undefined, time: number): void {
  const record = live.get(id);
  if (!record) return;
  live.delete(id);
  // Else the registry would hold the record until the object is collected.
  if (record.isWatched) tensorRegistry!.unregister(record);
  record.keptIn?.kept?.delete(record);
  liveBytes -= record.bytes;
  record.died = time;
  record.ending = ending;
  dead.set(id, record);
  const oldest = deaths.push(record);
  if (oldest && dead.get(oldest.id) === oldest) dead.delete(oldest.id);
  timeline.push({ time, kind: 'free', what: record, bytes: liveBytes });
}

function moved(id: number, owner: Owner): void {
  const record = live.get(id);
  if (!record) return;
  // A result that leaves an op's internal scope counts as made in its new place.
  const wasInOp = typeof record.owner === 'object' && record.owner.label === undefined;
  record.owner = owner;
  if (wasInOp && owner === 'caller') scheduleUnscopedCheck(record, namedScopes, syncRecords);
}

function getOwner(slot: number): Owner {
  return slot === -1 ? 'holder' : (openScopes.get(slot) ?? 'caller');
}

function scopeOpened(slot: number, parent: number, opened: number): void {
  openScopes.set(slot, { serial: ++lastSerial, parent: openScopes.get(parent), opened });
}

function scopeClosed(slot: number, time: number): void {
  const scope = openScopes.get(slot);
  if (!scope) return;
  openScopes.delete(slot);
  namedScopes.delete(scope);
  scope.closed = time;
  if (scope.label === undefined) return;
  timeline.push({ time: scope.opened, kind: 'open', what: scope, bytes: liveBytes });
  timeline.push({ time, kind: 'close', what: scope, bytes: liveBytes });
  if (!scope.isJudged) reportRepeatedKeeps(scope);
}
