import { drain, live } from './book.js';
import { makerOf } from './records.js';

/**
 * What made a live tensor, and where, to follow its name in a message: " from add at app.ts:41:20". Empty in a release
 * build, and for a handle that is not alive.
 */
export function describeSite(id: number): string {
  if (__DEBUG__) {
    drain();
    const record = live.get(id);
    if (record) return ` from ${makerOf(record)}`;
  }
  return '';
}
