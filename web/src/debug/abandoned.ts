import { scratch, wasm } from '../runtime/runtime.js';
import { scopeSite } from './book.js';
import type { Site } from './call_site.js';
import { tell, warn } from './findings.js';
import { at, countText, sizeText } from './records.js';

/** A pass over a dataset: the scope that owns what is on its way, and where it was begun. */
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

/** From now on it is reported if a pass's iterator is collected while its scope is open. */
export function watchPass(iterator: object, scope: number): void {
  lost!.register(iterator, { scope, site: scopeSite() }, iterator);
}

/** The pass is closed. */
export function forgetPass(iterator: object): void {
  lost!.unregister(iterator);
}
