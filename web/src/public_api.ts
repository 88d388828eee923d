import { setPublicApi } from './debug/public_names.js';
import * as tf from './index.js';

/** Passes the public API to the debug build, whose reports use its names. */
export function namePublicApi(): void {
  if (__DEBUG__) setPublicApi(tf);
}
