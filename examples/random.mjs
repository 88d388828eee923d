/** Returns a generator of numbers from [0, 1) that depend on the seed alone (Park and Miller). */
export function makeRandom(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
