import type * as tenure from 'tenure';

export function makeReader(tf: typeof tenure): tenure.Sequential;
