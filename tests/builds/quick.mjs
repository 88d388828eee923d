import { readFileSync } from 'node:fs';

const file = new URL('../../dist/provenance.json', import.meta.url);

/** True if dist/ holds the quick build (`web/build.mjs --quick`), which has no engines with relaxed SIMD. */
export const isQuick = JSON.parse(readFileSync(file, 'utf8')).quick;
