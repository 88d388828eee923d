import { scratch, wasm } from '../runtime/runtime.js';
import { scopeSite } from './book.js';
import type { Site } from './call_site.js';
import { tell, warn } from './findings.js';
import { at, countText, sizeText } from './records.js';

/** An iteration of a dataset: the scope that owns its tensors in flight, and the call site that began it. */
interface Pass {
  readonly scope: number;
  readonly site: Site | undefined;
}

const lost = __DEBUG__
  ? new FinalizationRegistry<Pass>(({ scope, site }) => {
      if (wasm._tn_scope_is_open(scope) === 0) return;
      const count = wasm._tn_scope_totals(scope);
      const held = `${countText(count)} (${sizeText(scratch()[0]! >>> 0)})`;
      const message = `A pass over a dataset, begun${at(site)}, was abandoned and never closed: it still holds ${held}`;
      warn('abandoned', message, site?.text);
      tell();
    })
  : undefined;

/** Watches an iterator of a dataset: a warning is written if it is garbage-collected while its scope is open. */
export function watchPass(iterator: object, scope: number): void {
  lost!.register(iterator, { scope, site: scopeSite() }, iterator);
}

/** Stops watching an iterator, which was closed. */
export function forgetPass(iterator: object): void {
  lost!.unregister(iterator);
}
