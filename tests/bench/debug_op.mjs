const kCalls = 200;
const kRounds = 100;

/** Returns the time, in microseconds, of adding two numbers and disposing the sum, `depth` calls deep: of 20 rounds the fastest. */
export function measureOp(tf, depth, now) {
  const [a, b] = [tf.scalar(1), tf.scalar(2)];
  const round = () => {
    const start = now();
    for (let i = 0; i < kCalls; i++) a.add(b).dispose();
    return (now() - start) / kCalls;
  };
  const deep = (level) => (level === 0 ? round() : deep(level - 1));
  const times = Array.from({ length: kRounds }, () => deep(depth)).sort((x, y) => x - y);
  tf.dispose([a, b]);
  return times[Math.floor(kRounds / 20)];
}

/** Returns the row of a build: its costs at each depth, after a round that warms up. */
export function measureDepths(tf, depths, now) {
  measureOp(tf, depths[0], now);
  return depths.map((depth) => measureOp(tf, depth, now));
}
