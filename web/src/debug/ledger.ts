import { wasm } from '../runtime.js';
import { kDataTypes } from '../types.js';
import { find, warn } from './findings.js';
import { at, countText, originOf, pathOf, sizeText, typeOf, type Ending, type Owner, type ScopeRecord, type TensorRecord } from './records.js';
import { Ring } from './ring.js';
import type { Entrance } from './own_code.js';
import { siteHere, type Site } from './site.js';

/** What only the wasm of a debug build exports: see cpp/wasm/ledger_calls.cpp. */
interface LedgerCalls {
  _tn_ledger_listen(on: number): void;
  _tn_ledger_words(): number;
  _tn_ledger_take(): number;
  _tn_count_not_finite(id: number): number;
}
const calls = wasm as unknown as LedgerCalls;

/** The entries of cpp/owner/ledger.h. */
const enum Entry {
  born,
  died,
  moved,
  opened,
  closed,
}
const kScopeSlot = 0xffff;
const kMostDead = 10_000;
const kMostMoments = 20_000;

/** A change of what is alive. */
export interface Moment {
  readonly time: number;
  readonly kind: 'allocate' | 'free' | 'open' | 'close';
  readonly what: TensorRecord | ScopeRecord;
  /** Bytes alive after it. */
  readonly bytes: number;
}

/** A scope that is about to open, and where. */
export interface Opening {
  readonly label: string;
  readonly site: Site | undefined;
}

/** By their handles, the tensors that are alive. */
export const live = new Map<number, TensorRecord>();
/** By their slots, the scopes that are open. */
export const openScopes = new Map<number, ScopeRecord>();
/** The last births, deaths and scopes. */
export const moments = new Ring<Moment>(kMostMoments);

const dead = new Map<number, TensorRecord>();
const deaths = new Ring<TensorRecord>(kMostDead);
let liveBytes = 0;
let lastSerial = 0;
let op = 'tensor';
let samplingRate = 1;
let sampled = 0;
let checksValues = false;

const lost = __DEBUG__
  ? new FinalizationRegistry<TensorRecord>((record) => {
      drain();
      if (live.get(record.id) !== record || record.owner !== 'caller') return;
      record.isLost = true;
      warn('collected', `Tensor ${originOf(record)} was collected without dispose`, record.site?.text);
    })
  : undefined;
if (__DEBUG__) calls._tn_ledger_listen(1);

/** Takes sites of only a part of the tensors, and of their ends: of none for 0, of all for 1. */
export function setSampling(rate: number): void {
  if (!(rate >= 0 && rate <= 1)) throw new Error(`a sampling rate is between 0 and 1, got ${rate}`);
  samplingRate = rate;
}

/** From now on, results with NaN or infinite values are reported. */
export function checkValues(on: boolean): void {
  checksValues = on;
}

/** Names the op that makes the next tensors. */
export function doing(name: string): void {
  op = name;
}

/** A tensor's object was made. */
export function made(tensor: object, id: number): void {
  drain(undefined, { below: tensor.constructor as Entrance['below'], depth: 8 });
  const record = live.get(id);
  if (!record) return;
  lost!.register(tensor, record);
  if (checksValues) check(record);
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
    const again = site ? `, and again at ${site.text}` : ', and again';
    warn('double-dispose', `Tensor #${id} ${originOf(record)} was disposed by ${endText(record.ending)}${again}`, site?.text);
  }
}

/** To be asked before a scope opens, where its user's calls can be seen. */
export function opening(kind: string, name: string): Opening {
  return { label: name ? `${kind} "${name}"` : kind, site: scopeSite() };
}

function scopeSite(): Site | undefined {
  return samplingRate > 0 ? siteHere() : undefined;
}

/** A scope opened. */
export function opened(scope: number, { label, site }: Opening): void {
  drain();
  const record = openScopes.get(scope & kScopeSlot);
  if (!record) return;
  record.label = label;
  record.site = site;
}

/** Tensors are about to be kept. */
export function keeping(ids: readonly number[]): void {
  drain();
  for (const id of ids) {
    const record = live.get(id);
    if (!record || typeof record.owner === 'string') continue;
    let scope: ScopeRecord | undefined = record.owner;
    while (scope && scope.label === undefined) scope = scope.parent;
    if (!scope) continue;
    record.keptIn = scope;
    (scope.kept ??= new Set()).add(record);
  }
}

/** A tensor is part of a scope's result. */
export function returned(id: number): void {
  const record = live.get(id);
  if (record) record.keptIn = undefined;
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

/** Brings the ledger up to date. */
export function drain(ending?: Ending, entrance?: Entrance): void {
  const count = calls._tn_ledger_words();
  if (count === 0) return;
  const from = calls._tn_ledger_take() >>> 2;
  const words = wasm.HEAP32.slice(from, from + count);
  const time = performance.now();
  let site: Site | undefined | null = null;
  for (let i = 0; i < count; ) {
    switch (words[i] as Entry) {
      case Entry.born:
        if (site === null) site = takesSample() ? siteHere(entrance) : undefined;
        born(words.subarray(i + 1, (i += 5 + words[i + 4]!)), site, time);
        break;
      case Entry.died:
        died(words[i + 1]!, ending, time);
        i += 2;
        break;
      case Entry.moved:
        moved(words[i + 1]!, ownerAt(words[i + 2]!));
        i += 3;
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

function takesSample(): boolean {
  sampled += samplingRate;
  if (sampled < 1) return false;
  sampled -= 1;
  return true;
}

function born(words: Int32Array, site: Site | undefined, born: number): void {
  const [id, owner, type] = words as unknown as [number, number, number];
  const dtype = kDataTypes[type]!;
  const shape = Array.from(words.subarray(4));
  const scope = openScopes.get(owner);
  const record: TensorRecord = {
    serial: ++lastSerial,
    id,
    op: site?.called || op,
    dtype,
    shape,
    bytes: shape.reduce((size, extent) => size * extent, dtype === 'bool' ? 1 : 4),
    site,
    scope,
    born,
    owner: ownerAt(owner),
  };
  live.set(id, record);
  liveBytes += record.bytes;
  moments.push({ time: born, kind: 'allocate', what: record, bytes: liveBytes });
  if (record.owner === 'caller') judgeLater(record);
}

function died(id: number, ending: Ending | undefined, time: number): void {
  const record = live.get(id);
  if (!record) return;
  live.delete(id);
  record.keptIn?.kept?.delete(record);
  liveBytes -= record.bytes;
  record.died = time;
  record.ending = ending;
  dead.set(id, record);
  const oldest = deaths.push(record);
  if (oldest && dead.get(oldest.id) === oldest) dead.delete(oldest.id);
  moments.push({ time, kind: 'free', what: record, bytes: liveBytes });
}

function moved(id: number, owner: Owner): void {
  const record = live.get(id);
  if (!record) return;
  // A result that an op's own scope hands out is as good as made where it arrives.
  const wasInOp = typeof record.owner === 'object' && record.owner.label === undefined;
  record.owner = owner;
  if (wasInOp && owner === 'caller') judgeLater(record);
}

function ownerAt(slot: number): Owner {
  return slot === -1 ? 'holder' : (openScopes.get(slot) ?? 'caller');
}

function scopeOpened(slot: number, parent: number, opened: number): void {
  openScopes.set(slot, { serial: ++lastSerial, parent: openScopes.get(parent), opened });
}

function scopeClosed(slot: number, time: number): void {
  const scope = openScopes.get(slot);
  if (!scope) return;
  openScopes.delete(slot);
  scope.closed = time;
  if (scope.label === undefined) return;
  moments.push({ time: scope.opened, kind: 'open', what: scope, bytes: liveBytes });
  moments.push({ time, kind: 'close', what: scope, bytes: liveBytes });
  for (const record of scope.kept ?? []) {
    if (record.keptIn !== scope || record.owner !== 'caller') continue;
    const message = `${scope.label}: ${originOf(record)} was kept and not returned: it outlives the scope`;
    warn('kept', message, record.site?.text);
  }
}

let doubtful: TensorRecord[] = [];

/**
 * A tensor that nobody but the caller owns, while scopes are open, is reported if it outlives the work at hand: after an
 * await that the scope did not follow, say.
 */
function judgeLater(record: TensorRecord): void {
  if (![...openScopes.values()].some(({ label }) => label !== undefined)) return;
  if (doubtful.push(record) === 1) queueMicrotask(judge);
}

function judge(): void {
  drain();
  const records = doubtful;
  doubtful = [];
  for (const record of records) {
    if (record.died !== undefined || record.owner !== 'caller' || record.keptIn) continue;
    const scope = [...openScopes.values()].filter(({ label }) => label !== undefined).at(-1);
    const open = scope ? `, while ${pathOf(scope)} is open` : '';
    const advice = 'after an await, make tensors in the run() of a scope';
    warn('no-scope', `Tensor ${originOf(record)} is in no scope${open}: ${advice}`, record.site?.text);
  }
}

function check(record: TensorRecord): void {
  const count = calls._tn_count_not_finite(record.id);
  if (count <= 0) return;
  const which = countText(count, 'NaN or infinite value');
  const message = `Found ${which} in the result of ${record.op}${at(record.site)}: Tensor #${record.id} ${typeOf(record)}`;
  warn('not-finite', message, record.site?.text);
}

function endText(ending: Ending | undefined): string {
  return ending ? `${ending.by}${at(ending.site)}` : 'the op that made it';
}
