import { test } from 'node:test';
import { assert, placesIn, tf } from './expect.mjs';

const place = placesIn(import.meta.url);

test('a diff of two snapshots lists created and disposed tensors', () => {
  const going = tf.ones([2]);
  const staying = tf.ones([3]);
  const before = tf.debug.snapshot();
  going.dispose();
  const coming = tf.zeros([4]);
  const after = tf.debug.snapshot();
  const { numTensors, numBytes, added, removed } = tf.debug.diff(before, after);
  assert.deepEqual([numTensors, numBytes], [0, 8]);
  assert.deepEqual(
    added.map(({ id, site }) => [id, site]),
    [[coming.id, place('zeros([4])')]],
  );
  assert.deepEqual(
    removed.map(({ id }) => id),
    [going.id],
  );
  assert.deepEqual([after.numTensors, after.numBytes], [tf.memory().numTensors, tf.memory().numBytes]);
  tf.dispose([staying, coming]);
});

test('the report groups by site, op or scope, largest first', () => {
  const scope = tf.scope('frame');
  const all = [tf.scalar(1), ...scope.run(() => [0, 1].map(() => tf.ones([8, 8])))];
  const ones = `ones at ${place('ones([8, 8])')}`;
  const scalar = `scalar at ${place('scalar(1)')}`;
  assert.equal(
    tf.debug.report({ by: 'site' }),
    [
      '3 tensors alive, 516 B, by site',
      '  count      bytes  site',
      `      2      512 B  ${ones}: float32[8,8]`,
      `      1        4 B  ${scalar}: float32[]`,
    ].join('\n'),
  );
  assert.equal(tf.debug.report(), tf.debug.report({ by: 'site' }));
  assert.deepEqual(
    tf.debug.groups({ by: 'op' }).map(({ key, numTensors }) => [key, numTensors]),
    [
      ['ones', 2],
      ['scalar', 1],
    ],
  );
  const owners = tf.debug.groups({ by: 'scope' }).map(({ key, numBytes }) => [key, numBytes]);
  assert.deepEqual(owners, [
    ['scope "frame"', 512],
    ['you', 4],
  ]);
  assert.throws(() => tf.debug.report({ by: 'colour' }), /not by 'colour'/);
  scope.close();
  tf.dispose(all);
  assert.equal(tf.debug.report(), '0 tensors alive, 0 B, by site');
});

test('events are in chronological order, and bounded', () => {
  const seen = tf.debug.events().length;
  tf.tidy('step', () => void tf.scalar(3));
  const kinds = tf.debug
    .events()
    .slice(seen)
    .map(({ kind, message }) => `${kind}: ${message}`);
  const made = `float32[] made by scalar at ${place('scalar(3)')}`;
  assert.deepEqual(kinds, [
    'open: tidy "step"',
    `allocate: ${made}`,
    `free: ${made} was disposed by tidy "step" at ${place("tidy('step'")}`,
    'close: tidy "step"',
  ]);
  for (let i = 0; i < 12_000; i++) tf.scalar(i).dispose();
  const events = tf.debug.events();
  assert.ok(events.length <= 21_000);
  assert.ok(events.every(({ time }, i) => i === 0 || events[i - 1].time <= time));
});

test('the trace has a byte counter, and spans that begin before they end', () => {
  const scope = tf.scope('traced');
  const x = scope.run(() => tf.ones([16]));
  const { traceEvents } = JSON.parse(tf.debug.toChromeTrace());
  scope.close();
  const spans = (ph, cat) => traceEvents.filter((event) => event.ph === ph && event.cat === cat);
  const begun = spans('b', 'tensor').at(-1);
  assert.deepEqual([begun.name, begun.args.bytes, begun.args.site], ['ones float32[16]', 64, place('ones([16])')]);
  assert.equal(spans('b', 'scope').at(-1).args.path, 'scope "traced"');
  assert.equal(traceEvents.filter(({ ph }) => ph === 'C').at(-1).args.bytes, tf.memory().numBytes + 64);
  const open = new Map();
  for (const { ph, cat, id, ts } of traceEvents) {
    if (ph === 'b') open.set(cat + id, ts);
    if (ph === 'e') assert.ok(open.get(cat + id) <= ts, `${cat} ${id} ends before it begins`);
  }
  assert.ok(x.isDisposed);
});

test('the HTML report is one file with the sites and the scopes, escaped', () => {
  const name = '<script>alert("pré")</script>';
  const scope = tf.scope(name);
  const inner = scope.child('inner');
  inner.run(() => tf.ones([32]));
  const html = tf.debug.toHTML();
  scope.close();
  assert.ok(html.startsWith('<!doctype html>') && html.includes('prefers-color-scheme: dark'));
  assert.doesNotMatch(html, /<script|https?:|src=|@import/);
  assert.ok(html.includes('scope &#34;&#60;script&#62;alert(&#34;pré&#34;)&#60;/script&#62;&#34;'));
  assert.ok(html.includes(`ones at ${place('ones([32])')}`));
  assert.match(html, /<li><code>scope &#34;&#60;.*<ul><li><code>scope &#34;inner&#34;/);
  assert.match(html, /<path d="M0 160H/);
});

test('ten thousand nested scopes are reported', () => {
  const root = tf.scope('root');
  let at = root;
  for (let i = 0; i < 10_000; i++) at = at.child(`s${i}`);
  at.run(() => tf.eye(2));
  const html = tf.debug.toHTML();
  const [group] = tf.debug.groups({ by: 'scope' });
  root.close();
  assert.equal(html.split('<li>').length, 10_002);
  assert.equal(html.split('<ul>').length, html.split('</ul>').length);
  assert.match(group.key, /^\.\.\. > scope "s9984" > .* > scope "s9999"$/);
});
