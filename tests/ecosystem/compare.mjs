/**
 * Returns a description of the difference between two results, or undefined. Numbers may differ by the share `tolerance`, and
 * those below `least` as `least` may. `place` names the results.
 */
export function difference(ours, theirs, { place = 'the result', tolerance = 1e-3, least = 1 } = {}) {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    return Math.abs(ours - theirs) <= tolerance * Math.max(least, Math.abs(theirs))
      ? undefined
      : `${place} is ${ours}, not ${theirs}`;
  }
  if (theirs === null || typeof theirs !== 'object' || ours === null || typeof ours !== 'object') {
    return ours === theirs ? undefined : `${place} is ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`;
  }
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const found = difference(ours[key], theirs[key], { place: `${place}.${key}`, tolerance, least });
    if (found) return found;
  }
  return undefined;
}
