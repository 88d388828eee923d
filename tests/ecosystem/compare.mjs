/** Returns a description of the difference between two results, or undefined. Numbers may differ by a thousandth. */
export function difference(ours, theirs, place = 'the result') {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    return Math.abs(ours - theirs) <= 1e-3 * Math.max(1, Math.abs(theirs))
      ? undefined
      : `${place} is ${ours}, not ${theirs}`;
  }
  if (theirs === null || typeof theirs !== 'object' || ours === null || typeof ours !== 'object') {
    return ours === theirs ? undefined : `${place} is ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`;
  }
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const found = difference(ours[key], theirs[key], `${place}.${key}`);
    if (found) return found;
  }
  return undefined;
}
