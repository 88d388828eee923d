import type { AsyncLocalStorage } from 'node:async_hooks';
import { asyncHooks } from '../runtime/node_builtins.js';
import { warn } from './diagnostics.js';
import { captureStack, isLibraryCode } from './library_frames.js';
import { describeOrigin, getScopePath, getSiteText, type ScopeRecord, type TensorRecord } from './records.js';
import { parseStack } from './stack.js';

/** Function of scope_async.ts that awaits the function of a scopeAsync(). Engines show it on the stack of the awaited code. */
const kAwaiting = 'scopeAsyncIn';
const kMaxDepth = 50;

/** The call of a function by a scope's run(), pending until its promise settles. */
interface Run {
  readonly scope: ScopeRecord;
  isPending: boolean;
}

let storage: AsyncLocalStorage<Run> | undefined;
let pendingChecks: { record: TensorRecord; scope: ScopeRecord }[] = [];

/** Calls the function of a scope's run() in an async context, which identifies tensors that it makes after an await. */
export function runInAsyncContext<T>(scope: ScopeRecord | undefined, body: () => T): T {
  if (!scope || !asyncHooks) return body();
  storage ??= new asyncHooks.AsyncLocalStorage();
  const run = { scope, isPending: true };
  const end = () => {
    run.isPending = false;
  };
  const result = storage.run(run, body);
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

/**
 * Schedules a check of a tensor that the caller owns: warns if the code that made it was started in a scope and left it at an
 * await. The check runs in a microtask, and passes if the tensor is freed or has another owner by then.
 */
export function scheduleUnscopedCheck(
  record: TensorRecord,
  named: ReadonlySet<ScopeRecord>,
  refresh: () => void,
): void {
  const scope = getLostScope(named);
  if (!scope || pendingChecks.push({ record, scope }) > 1) return;
  queueMicrotask(() => {
    refresh();
    const dueChecks = pendingChecks;
    pendingChecks = [];
    for (const { record, scope } of dueChecks) reportUnscoped(record, scope);
  });
}

function reportUnscoped(record: TensorRecord, scope: ScopeRecord): void {
  if (record.died !== undefined || record.owner !== 'caller' || record.isKept) return;
  const where = `is in no scope, while ${getScopePath(scope)} is open`;
  const advice = 'after an await, create tensors in scope.run()';
  warn('no-scope', `Tensor ${describeOrigin(record)} ${where}: ${advice}`, getSiteText(record));
}

function getLostScope(named: ReadonlySet<ScopeRecord>): ScopeRecord | undefined {
  if (named.size === 0) return undefined;
  const run = storage?.getStore();
  if (run) return run.isPending && run.scope.closed === undefined ? run.scope : undefined;
  if (asyncHooks) return undefined;
  // Without AsyncLocalStorage the stack may show that a scopeAsync() awaits the running code, but not of which scope.
  const calls = captureStack(kMaxDepth);
  const isAwaited =
    typeof calls === 'string'
      ? parseStack(calls).some(
          ({ name, file, line, column }) => name === kAwaiting && isLibraryCode(file, line, column),
        )
      : calls.some(
          (call) =>
            call.getFunctionName() === kAwaiting &&
            isLibraryCode(call.getScriptNameOrSourceURL() ?? '', call.getPosition(), 0),
        );
  let last: ScopeRecord | undefined;
  if (isAwaited) for (const scope of named) last = scope;
  return last;
}
