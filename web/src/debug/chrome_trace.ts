import { history, isScope } from './events.js';
import { findings } from './diagnostics.js';
import { getOpName, getScopePath, getSiteText, formatType, type ScopeRecord, type TensorRecord } from './records.js';

const kProcess = { pid: 1, tid: 1 };

/**
 * Returns the recent history as JSON in Chrome's Trace Event Format, which Perfetto and chrome://tracing open: bytes as a
 * counter, scopes and tensors as async spans, findings as instant events.
 */
export function toChromeTrace(): string {
  const traceEvents: object[] = [{ ...kProcess, ph: 'M', name: 'process_name', args: { name: 'Tenure' } }];
  const begun = new Set<number>();
  const span = (ph: 'b' | 'e', time: number, what: TensorRecord | ScopeRecord) => {
    const cat = isScope(what) ? 'scope' : 'tensor';
    const args = isScope(what) ? getScopeArgs(what) : tensorArgs(what);
    const name = isScope(what) ? what.label : `${getOpName(what)} ${formatType(what)}`;
    traceEvents.push({ ...kProcess, ph, cat, id: what.serial, name, ts: time * 1000, ...(ph === 'b' && { args }) });
  };
  for (const { time, kind, what, bytes } of history()) {
    const begins = kind === 'allocate' || kind === 'open';
    // Something made before the history begins needs a begin event too.
    if (!begun.has(what.serial)) span('b', isScope(what) ? what.opened : what.born, what);
    begun.add(what.serial);
    if (!begins) span('e', time, what);
    if (!isScope(what))
      traceEvents.push({ ...kProcess, ph: 'C', name: 'tensor bytes', ts: time * 1000, args: { bytes } });
  }
  for (const { kind, time, message, site } of findings()) {
    traceEvents.push({
      ...kProcess,
      ph: 'i',
      s: 'p',
      cat: 'finding',
      name: kind,
      ts: time * 1000,
      args: { message, site },
    });
  }
  return JSON.stringify({ traceEvents, displayTimeUnit: 'ms' });
}

function getScopeArgs(scope: ScopeRecord): object {
  return { path: getScopePath(scope), site: scope.site?.text ?? '' };
}

function tensorArgs(record: TensorRecord): object {
  const { ending, bytes, scope } = record;
  return {
    bytes,
    site: getSiteText(record),
    scope: getScopePath(scope),
    freedBy: ending?.by ?? '',
    freedAt: ending?.site?.text ?? '',
  };
}
