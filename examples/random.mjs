/** Numbers from [0, 1), the same each time for the same seed (Park and Miller). */
export function makeRandom(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
