import { setPublicApi } from './debug/public_names.js';
import * as tf from './index.js';

/** Tells the debug build's reports the names of what is public. */
export function namePublicApi(): void {
  if (__DEBUG__) setPublicApi(tf);
}
