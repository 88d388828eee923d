import { warn } from './diagnostics.js';
import { describeOrigin, getSiteText, type ScopeRecord, type TensorRecord } from './records.js';

/** Runs of a scope in a row that each keep a tensor before it is a leak. A constant that is made lazily once is none. */
const kMinRuns = 3;
const kMaxKeys = 10_000;

/** The tensors that a call site has kept in consecutive runs of a scope. */
interface KeepStreak {
  turn: number;
  length: number;
  records: TensorRecord[];
}

const turns = new Map<unknown, number>();
const rows = new Map<unknown, Map<unknown, KeepStreak>>();

/** Notes that a tensor is about to be kept, out of the scope that owns it. */
export function noteKept(record: TensorRecord, scope: ScopeRecord | undefined): void {
  const named = getNamedScope(scope);
  if (named) keptIn(record, named);
}

/** Notes that a scope returns a tensor. If it was kept inside, the enclosing scope has to return it too. */
export function noteReturned(record: TensorRecord, scope: ScopeRecord): void {
  if (record.keptIn !== scope) return;
  scope.kept?.delete(record);
  keptIn(record, getNamedScope(scope.parent));
}

/** Warns of tensors that kMinRuns runs of a scope in a row have kept and not returned. Called at the scope's end. */
export function reportRepeatedKeeps(scope: ScopeRecord): void {
  const key = scope.site ?? scope.label;
  const turn = (turns.get(key) ?? 0) + 1;
  if (turns.size >= kMaxKeys) {
    turns.clear();
    rows.clear();
  }
  turns.set(key, turn);
  for (const record of scope.kept ?? []) {
    if (record.owner === 'caller' && record.died === undefined) addToStreak(scope, key, turn, record);
  }
  delete scope.kept;
}

function addToStreak(scope: ScopeRecord, key: unknown, turn: number, record: TensorRecord): void {
  const ofScope = rows.get(key) ?? new Map<unknown, KeepStreak>();
  rows.set(key, ofScope);
  const place = record.site ?? record.op;
  const row = ofScope.get(place) ?? { turn: 0, length: 0, records: [] };
  ofScope.set(place, row);
  const isConsecutive = row.turn === turn - 1 && row.records.some(({ died }) => died === undefined);
  if (row.turn !== turn) row.length = isConsecutive || row.length >= kMinRuns ? row.length + 1 : 1;
  row.turn = turn;
  row.records.push(record);
  if (row.length < kMinRuns) return;
  for (const each of row.records.splice(0)) {
    if (each.died !== undefined) continue;
    const message = `${scope.label}: ${describeOrigin(each)} was kept and not returned: it outlives the scope`;
    warn('kept', message, getSiteText(each));
  }
}

function keptIn(record: TensorRecord, scope: ScopeRecord | undefined): void {
  record.keptIn = scope;
  if (scope) (scope.kept ??= new Set()).add(record);
}

function getNamedScope(scope: ScopeRecord | undefined): ScopeRecord | undefined {
  while (scope && scope.label === undefined) scope = scope.parent;
  return scope;
}
