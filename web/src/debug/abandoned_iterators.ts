import { scratch, wasm } from '../runtime/runtime.js';
import { captureScopeSite } from './ledger_records.js';
import type { Site } from './call_site.js';
import { flushWarnings, warn } from './diagnostics.js';
import { at, formatCount, formatBytes } from './records.js';

/** An iteration of a dataset: the scope that owns its tensors in flight, and the call site that began it. */
interface DatasetIteration {
  readonly scope: number;
  readonly site: Site | undefined;
}

const iteratorRegistry = __DEBUG__
  ? new FinalizationRegistry<DatasetIteration>(({ scope, site }) => {
      if (wasm._tn_scope_is_open(scope) === 0) return;
      const count = wasm._tn_scope_totals(scope);
      const held = `${formatCount(count)} (${formatBytes(scratch()[0]! >>> 0)})`;
      const message = `A dataset iterator, created${at(site)}, was abandoned and never closed: it still holds ${held}`;
      warn('abandoned', message, site?.text);
      flushWarnings();
    })
  : undefined;

/** Watches an iterator of a dataset: a warning is written if it is garbage-collected while its scope is open. */
export function watchIterator(iterator: object, scope: number): void {
  iteratorRegistry!.register(iterator, { scope, site: captureScopeSite() }, iterator);
}

/** Stops watching an iterator, which was closed. */
export function unwatchIterator(iterator: object): void {
  iteratorRegistry!.unregister(iterator);
}
