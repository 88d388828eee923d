// Which tensors reach the end of a function, or are made once more by a loop, without their release: by ESLint's code paths.

/**
 * Returns those of `made` that leak: from one of their `segments`, a path reaches the end of the code path, or the same segment
 * again, without passing one of their `releases`. Releases in the segment that makes a tensor are behind it.
 */
export function findLeaks(codePath, made) {
  if (made.length === 0) return [];
  const order = orderOf(codePath.initialSegment);
  const ends = reachedFromBehind(codePath.finalSegments);
  return made.filter((each) => each.segments.length > 0 && isLeaking(each, order, ends));
}

/** Walks on from where a tensor is made. Behind its last release, what is left to know is whether the end can be reached. */
function isLeaking({ segments: [start], releases }, order, ends) {
  if (releases.has(start)) return false;
  let last = order.get(start);
  for (const segment of releases) last = Math.max(last, order.get(segment));
  const waiting = [start];
  const seen = new Set();
  while (waiting.length > 0) {
    const segment = waiting.pop();
    if (ends.final.has(segment)) return true;
    // A path that cannot come back to the start only has the end before it.
    if (order.get(segment) > last) {
      if (ends.before.has(segment)) return true;
      continue;
    }
    for (const next of segment.nextSegments) {
      if (next === start) return true;
      if (seen.has(next) || releases.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return false;
}

/** Returns the final segments, and those that a final one can be reached from. */
function reachedFromBehind(finalSegments) {
  const before = new Set(finalSegments);
  const waiting = [...finalSegments];
  while (waiting.length > 0) {
    for (const previous of waiting.pop().prevSegments) {
      if (before.has(previous)) continue;
      before.add(previous);
      waiting.push(previous);
    }
  }
  return { final: new Set(finalSegments), before };
}

/**
 * Numbers the strongly connected components of the segments such that no path leads to a smaller number: Tarjan's algorithm,
 * with a stack of its own, as code may be nested or chained more deeply than calls may be.
 */
function orderOf(initialSegment) {
  const found = new Map();
  const lowest = new Map();
  const component = new Map();
  const open = [];
  const calls = [];
  let components = 0;
  const enter = (segment) => {
    found.set(segment, found.size);
    lowest.set(segment, found.get(segment));
    open.push(segment);
    calls.push({ segment, next: 0 });
  };
  enter(initialSegment);
  while (calls.length > 0) {
    const call = calls.at(-1);
    const { segment } = call;
    if (call.next < segment.nextSegments.length) {
      const next = segment.nextSegments[call.next++];
      if (!found.has(next)) enter(next);
      else if (!component.has(next)) lowest.set(segment, Math.min(lowest.get(segment), found.get(next)));
      continue;
    }
    calls.pop();
    const caller = calls.at(-1)?.segment;
    if (caller) lowest.set(caller, Math.min(lowest.get(caller), lowest.get(segment)));
    if (lowest.get(segment) !== found.get(segment)) continue;
    // Components are complete in the opposite order.
    for (let at; at !== segment; ) component.set((at = open.pop()), -components);
    components++;
  }
  return component;
}
