import { syncRecords, live } from './ledger_records.js';
import { describeMaker } from './records.js';

/**
 * Returns the op and the call site of a live tensor as a suffix for messages: " from add at app.ts:41:20". Returns '' in a release
 * build, and for an id that is not alive.
 */
export function describeSite(id: number): string {
  if (__DEBUG__) {
    syncRecords();
    const record = live.get(id);
    if (record) return ` from ${describeMaker(record)}`;
  }
  return '';
}
