// Short rounds, so that some run undisturbed, but long beside the timer of a page, whose resolution is 0.1 ms.
const kMinRound = 2000;
const kRounds = 60;

/** Returns the time, in microseconds, of adding two numbers and disposing the sum, `depth` calls deep: of 20 rounds the fastest. */
export function measureOp(tf, depth, now) {
  const [a, b] = [tf.scalar(1), tf.scalar(2)];
  let calls = 100;
  const round = () => {
    const start = now();
    for (let i = 0; i < calls; i++) a.add(b).dispose();
    return (now() - start) / calls;
  };
  while (round() * calls < kMinRound) calls *= 2;
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
