import { test } from 'node:test';
import { assert, pause, placesIn, tf, warningsOf } from './expect.mjs';

const place = placesIn(import.meta.url);
const infoOf = (tensor) => tf.debug.snapshot().tensors.find(({ id }) => id === tensor.id);
const findings = (kind) => tf.debug.events().filter((event) => event.kind === kind);

test('every tensor has its op, dtype, scope and creation line on record', () => {
  const scope = tf.scope('frame');
  const made = scope.run(() =>
    tf.tidy('pre', () => {
      const image = tf.zeros([2, 4, 4, 3]);
      const info = infoOf(image);
      assert.deepEqual(info.shape, [2, 4, 4, 3]);
      assert.deepEqual([info.op, info.dtype, info.bytes], ['zeros', 'float32', 384]);
      assert.equal(info.site, place('zeros([2, 4, 4, 3])'));
      assert.equal(info.scope, 'scope "frame" > tidy "pre"');
      return image.resizeBilinear([8, 8]);
    }),
  );
  const info = infoOf(made);
  assert.deepEqual([info.op, info.site], ['resizeBilinear', place('resizeBilinear([8, 8])')]);
  assert.deepEqual([info.scope, info.owner], ['scope "frame" > tidy "pre"', 'scope "frame"']);
  scope.detach(made);
  assert.equal(infoOf(made).owner, 'you');
  made.dispose();
  assert.equal(infoOf(made), undefined);
  scope.close();
});

test('sites are those of the package’s caller, however deep the calls', async () => {
  const [squared] = [tf.scalar(3)].map(tf.square);
  assert.deepEqual([infoOf(squared).op, infoOf(squared).site], ['square', place('map(tf.square)')]);
  const normed = tf.tensor([3, 4]).euclideanNorm(); // a composition of ops
  assert.deepEqual([infoOf(normed).op, infoOf(normed).site], ['euclideanNorm', place('euclideanNorm(); //')]);
  const [part] = tf.split(tf.ones([4]), 2);
  assert.equal(infoOf(part).site, place('split(tf.ones([4]), 2)'));
  await pause();
  const late = tf.scalar(1); // after an await
  assert.equal(infoOf(late).site, place('scalar(1); // after an await'));
  const evaluated = (0, eval)('(tf) => tf.scalar(5)')(tf);
  assert.match(infoOf(evaluated).site, /ledger\.test\.mjs:\d+:\d+$/);
  const variable = tf.variable(tf.scalar(2), true, 'mine');
  assert.deepEqual([infoOf(variable).op, infoOf(variable).owner], ['variable', 'a variable or model']);
  tf.disposeVariables();
  tf.dispose(tf.debug.snapshot().tensors.map(({ id, shape, dtype }) => new tf.Tensor(id, shape, dtype)));
  assert.equal(tf.memory().numTensors, 0);
});

test('a scope reports the live tensors that it closes over', (context) => {
  const lines = warningsOf(context, () => {
    const scope = tf.scope('frame', { onExit: 'report' });
    scope.run(() => {
      for (let i = 0; i < 2; i++) tf.ones([1, 224, 224, 3]);
      tf.scalar(7);
    });
    scope.close();
    const throwing = tf.scope('strict', { onExit: 'throw' });
    throwing.run(() => tf.zeros([3], 'int32'));
    const words = `scope 'strict' closed with 1 tensor still alive (12 bytes): int32[3] from zeros at ${place("zeros([3], 'int32')")} (12 bytes)`;
    assert.throws(() => throwing.close(), { name: 'LeakError', message: words });
  });
  const images = `2 x float32[1,224,224,3] from ones at ${place('ones([1, 224, 224, 3])')} (1204224 bytes)`;
  const number = `float32[] from scalar at ${place('scalar(7)')} (4 bytes)`;
  assert.deepEqual(lines, [`scope 'frame' closed with 3 tensors still alive (1204228 bytes): ${images}, ${number}`]);
  assert.deepEqual(
    findings('leak')
      .map(({ message }) => message)
      .slice(0, 1),
    lines,
  );
});

test('a use after dispose reports the creation and dispose sites', () => {
  let lost;
  tf.tidy('preprocess', () => {
    lost = tf.ones([2, 2]);
  });
  const story =
    `Tensor #${lost.id} float32[2,2] made by ones at ${place('ones([2, 2])')} ` +
    `was disposed by tidy "preprocess" at ${place("tidy('preprocess', () => {")}`;
  const error = { name: 'DisposedError' };
  for (const use of [() => lost.add(1), () => lost.dataSync(), () => tf.keep(lost), () => tf.concat([lost, lost])]) {
    assert.throws(use, error);
    assert.throws(use, (thrown) => thrown.message.includes('Tensor is disposed') && thrown.message.includes(story));
  }
  assert.ok(findings('use-after-dispose').every(({ message }) => message === story));

  const byHand = tf.scalar(1);
  byHand.dispose(); // by hand
  assert.throws(
    () => byHand.square(),
    (thrown) => thrown.message.endsWith(`was disposed by dispose at ${place('dispose(); // by hand')}`),
  );
  const scope = tf.scope('mine');
  const scoped = scope.run(() => tf.scalar(1));
  scope.close(); // the scope
  assert.throws(
    () => scoped.print(),
    (thrown) => thrown.message.endsWith(`disposed by scope "mine" at ${place('close(); // the scope')}`),
  );
});

test('double dispose is reported once, with both sites', (context) => {
  const x = tf.scalar(11);
  const lines = warningsOf(context, () => {
    x.dispose(); // first
    x.dispose(); // second
    tf.dispose([x]);
  });
  assert.deepEqual(lines, [
    `Tensor #${x.id} float32[] made by scalar at ${place('scalar(11)')} was disposed by dispose at ` +
      `${place('dispose(); // first')}, and again at ${place('dispose(); // second')}`,
  ]);
});

test('tensors kept inside a tidy and not returned are flagged at its end, once per site', (context) => {
  const kept = [];
  const lines = warningsOf(context, () => {
    for (let i = 0; i < 3; i++) {
      tf.tidy('step', () => {
        kept.push(tf.keep(tf.scalar(12)));
        tf.keep(tf.scalar(0)).dispose();
        return kept.at(i - 1) && tf.keep(tf.scalar(13));
      })?.dispose();
    }
  });
  const made = `float32[] made by scalar at ${place('scalar(12)')}`;
  assert.deepEqual(lines, [`tidy "step": ${made} was kept and not returned: it outlives the scope`]);
  assert.equal(findings('kept').length, 3);
  tf.dispose(kept);
});

test('tensors made in a scope after an await are flagged if they outlive the turn', async (context) => {
  const strays = [];
  const lines = await warningsOf(context, async () => {
    const scope = tf.scope('session');
    for (let i = 0; i < 2; i++) {
      await scope.run(async () => {
        tf.scalar(21);
        await pause();
        tf.scalar(22).dispose();
        scope.attach(tf.scalar(23));
        strays.push(tf.keep(tf.scalar(25)));
        strays.push(tf.scalar(24));
        await pause();
      });
    }
    scope.close();
  });
  assert.equal(lines.length, 1);
  const words = `Tensor float32[] made by scalar at ${place('scalar(24)')} is in no scope, while scope "session" is open: `;
  assert.ok(lines[0].startsWith(words), lines[0]);
  assert.equal(findings('no-scope').length, 2);
  tf.dispose(strays);
});

test('lazily created constants are not flagged', (context) => {
  const cache = new Map();
  const constant = (value) => {
    if (!cache.has(value))
      cache.set(
        value,
        tf.tidy('constant', () => tf.keep(tf.scalar(value).add(0))),
      );
    return cache.get(value);
  };
  const lines = warningsOf(context, () => {
    for (const value of [1, 2, 1, 2, 2, 3, 1]) tf.tidy('use', () => void constant(value).add(constant(1)));
  });
  assert.deepEqual(lines, []);
  tf.dispose(cache);
});

test('a tensor that an inner tidy keeps and returns, and an outer one drops, is flagged', (context) => {
  const kept = [];
  const lines = warningsOf(context, () => {
    for (let i = 0; i < 4; i++) {
      tf.tidy('outer', () => {
        kept.push(tf.tidy('inner', () => tf.keep(tf.scalar(31))));
        return tf.tidy('inner', () => tf.keep(tf.scalar(32)));
      }).dispose();
    }
  });
  assert.deepEqual(lines, [
    `tidy "outer": float32[] made by scalar at ${place('scalar(31)')} was kept and not returned: it outlives the scope`,
  ]);
  tf.dispose(kept);
});

test('a console that throws leaves a consistent state', async (context) => {
  const before = tf.memory();
  const error = new Error('no warnings, please');
  const warn = context.mock.method(console, 'warn', () => {
    throw error;
  });
  const kept = [];
  const step = () =>
    tf.tidy('strict', () => {
      kept.push(tf.keep(tf.scalar(41)));
      return tf.scalar(42).add(1);
    });
  step().dispose();
  step().dispose();
  assert.throws(step, error);
  step().dispose();
  const x = tf.scalar(43);
  x.dispose();
  assert.throws(() => x.dispose(), error);
  const failing = tf.scopeAsync('late', async () => {
    await pause();
    const y = tf.scalar(44);
    y.dispose();
    y.dispose();
  });
  await assert.rejects(failing, error);
  assert.equal(warn.mock.callCount(), 3);
  tf.dispose(kept);
  const { numTensors, detail } = tf.memory();
  assert.deepEqual([numTensors, detail.scopes], [before.numTensors, before.detail.scopes]);
});

test('tensors made outside scopes on purpose are not flagged while others have scopes', async (context) => {
  const made = [];
  const plain = async () => {
    for (let i = 0; i < 3; i++) {
      made.push(
        tf.scalar(i),
        tf.tidy(() => tf.scalar(i).add(1)),
      );
      await pause();
    }
  };
  const scoped = (name) =>
    tf.scopeAsync(name, async () => {
      for (let i = 0; i < 3; i++) {
        tf.scalar(i);
        await pause();
      }
    });
  const lines = await warningsOf(context, async () => {
    const session = tf.scope('session');
    let timer;
    session.run(() => {
      timer = pause().then(plain);
    });
    await Promise.all([plain(), scoped('a'), plain(), scoped('b'), timer]);
    session.close();
  });
  assert.deepEqual(lines, []);
  tf.dispose(made);
});

test('a tidy of a promise is an error that names scopeAsync, and frees everything', () => {
  const before = tf.memory().numTensors;
  const late = async () => tf.scalar(1);
  assert.throws(() => tf.tidy(late), { message: /^Cannot return a Promise inside of tidy\..*scopeAsync\(\)/ });
  assert.equal(tf.memory().numTensors, before);
});

test('a tensor whose object is garbage collected is reported, and stays in the report', async (context) => {
  const lines = await warningsOf(context, async () => {
    for (let i = 0; i < 3; i++) tf.ones([5]).square().dispose();
    for (let turn = 0; turn < 20 && findings('collected').length < 3; turn++) {
      globalThis.gc();
      await pause();
    }
  });
  const made = `float32[5] made by ones at ${place('ones([5])')}`;
  assert.deepEqual(lines, [`Tensor ${made} was collected without dispose`]);
  const group = tf.debug.groups().find(({ key }) => key === `ones at ${place('ones([5])')}`);
  assert.deepEqual([group.numTensors, group.numLost], [3, 3]);
  assert.match(tf.debug.report(), /ones at .*: float32\[5\] \(3 collected without dispose\)/);
});

test('debug mode names the op and the position of a non-finite value', (context) => {
  const minus = tf.scalar(-1);
  tf.enableDebugMode();
  const results = [];
  const lines = warningsOf(context, () => {
    for (let i = 0; i < 2; i++) results.push(tf.log(minus), minus.add(1), tf.tensor([1, 2]).div(tf.tensor([0, 0])));
  });
  assert.equal(lines.length, 2);
  const log = `Found 1 NaN or infinite value in the result of log at ${place('log(minus)')}: `;
  const div = `Found 2 NaN or infinite values in the result of div at ${place('div(tf.tensor([0, 0]))')}: `;
  assert.ok(lines[0].startsWith(log) && lines[1].startsWith(div), lines.join('\n'));
  tf.dispose([minus, results]);
});

test('sampling records the sites of a sample, and the ops of all tensors', () => {
  tf.debug.setSampling(0.25);
  const tensors = Array.from({ length: 8 }, () => tf.ones([1]));
  const infos = tensors.map(infoOf);
  assert.equal(infos.filter(({ site }) => site !== '').length, 2);
  assert.deepEqual([...new Set(infos.filter(({ site }) => !site).map(({ op }) => op))], ['fill']);
  assert.throws(() => tf.debug.setSampling(2), /between 0 and 1/);
  tf.debug.setSampling(1);
  tf.dispose(tensors);
});

test('without sites no stack is captured', () => {
  const { stackTraceLimit } = Error;
  let captures = 0;
  Object.defineProperty(Error, 'stackTraceLimit', { configurable: true, get: () => 10, set: () => void captures++ });
  try {
    const work = () => {
      captures = 0;
      tf.tidy(() => tf.add(tf.scalar(1), tf.tensor1d([1, 2])).mul(2));
      tf.dispose(tf.ones([2]));
      return captures;
    };
    assert.ok(work() > 0);
    tf.debug.setSampling(0);
    assert.equal(work(), 0);
  } finally {
    tf.debug.setSampling(1);
    Object.defineProperty(Error, 'stackTraceLimit', { configurable: true, writable: true, value: stackTraceLimit });
  }
});

test('after an op that throws, the next tensor has its own line', () => {
  const x = tf.tensor1d([1, 2, 3]);
  assert.throws(() => x.add(x.slice([0], [2])));
  const copy = tf.variable(x); // variable
  assert.throws(() => x.pad([[1]]));
  const same = x.clone(); // clone
  assert.equal(infoOf(copy).site, place('variable(x); // variable'));
  assert.equal(infoOf(same).site, place('clone(); // clone'));
  tf.dispose([x, copy, same]);
});

test('the memory of the ledger is bounded', () => {
  const work = (times) => {
    for (let i = 0; i < times; i++) tf.tidy('step', () => void tf.scalar(i).add(1));
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const full = work(6_000); // by now whatever is bounded is full
  const grown = work(6_000) - full;
  assert.ok(grown < 1e6, `${grown} bytes`);
  assert.equal(tf.debug.snapshot().numTensors, tf.memory().numTensors);
});
