// Measures the debug build's overhead per op: `node tests/bench/debug_cost.mjs`, after `npm run build`.
import * as release from '../../dist/index.js';
import * as debug from '../../dist/debug/index.js';

const kCalls = 5000;
const kRounds = 30;

/** Returns the median CPU time in microseconds of adding two numbers and disposing the sum, `depth` calls deep. */
function cost(tf, depth) {
  const [a, b] = [tf.scalar(1), tf.scalar(2)];
  const round = () => {
    const start = process.cpuUsage();
    for (let i = 0; i < kCalls; i++) a.add(b).dispose();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / kCalls;
  };
  const deep = (level) => (level === 0 ? round() : deep(level - 1));
  const times = Array.from({ length: kRounds }, () => deep(depth)).sort((x, y) => x - y);
  tf.dispose([a, b]);
  return times[kRounds / 2];
}

const rows = [['release', () => cost(release, 10)]];
for (const rate of [0, 0.1, 1]) {
  rows.push([`debug, sites of ${rate * 100} %`, () => (debug.debug.setSampling(rate), cost(debug, 10))]);
}
for (const [name, measure] of rows) {
  measure();
  console.log(`${name.padEnd(24)} ${measure().toFixed(2).padStart(7)} us for add and dispose`);
}
