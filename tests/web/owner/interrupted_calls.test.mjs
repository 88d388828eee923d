// Time limits of many lengths, in separate processes: after an interrupted call the engine repairs itself, or refuses all
// calls.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../../cpp/toolchain/use.mjs';

const kSeeds = (process.env.TENURE_CUT_SEEDS ?? '1,2').split(',').map(Number);
const kCuts = 40;
/** Maximum bytes that an op of these programs allocates, its working memory included. */
const kMaxBytesPerCut = 128 * 1024;

/** Endless programs that leave nothing once their scope is closed, unless they make models. */
const kPrograms = {
  ops: `for (;;) tf.tidy(() => {
    const a = tf.randomNormal([64, 64]);
    tf.moments(a.matMul(a).softmax());
    a.concat(a).reshape([-1]).sum();
    a.reshape([1, 16, 16, 16]).conv2d(filter, 1, 'same').relu().mul(2).add(1);
  });`,
  gradients: `for (;;) tf.tidy(() => {
    tf.grads((a, b) => a.matMul(b).softmax().square().sum())([tf.ones([32, 32]), tf.ones([32, 32])]);
  });`,
  recurrent: `for (;;) {
    const model = tf.sequential();
    model.add(tf.layers.lstm({ units: 8, inputShape: [5, 3], returnSequences: true }));
    model.add(tf.layers.gru({ units: 4 }));
    model.add(tf.layers.dense({ units: 2 }));
    tf.tidy(() => model.predict(tf.ones([2, 5, 3])));
    model.dispose();
  }`,
  convolutional: `for (;;) {
    const model = tf.sequential();
    model.add(tf.layers.conv2d({ filters: 8, kernelSize: 3, inputShape: [12, 12, 3] }));
    model.add(tf.layers.batchNormalization());
    model.add(tf.layers.maxPooling2d({ poolSize: 2 }));
    model.add(tf.layers.flatten());
    model.add(tf.layers.dense({ units: 2 }));
    tf.tidy(() => model.predict(tf.ones([2, 12, 12, 3])));
    model.dispose();
  }`,
  training: `for (;;) {
    const model = tf.sequential();
    model.add(tf.layers.lstm({ units: 4, inputShape: [3, 2] }));
    model.add(tf.layers.dense({ units: 1 }));
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    model.trainOnBatch(inputs, targets);
    model.dispose();
    model.optimizer.dispose();
  }`,
};
const kMakesModels = new Set(['recurrent', 'convolutional', 'training']);

function program(code, seed) {
  return `
    import { createContext, runInContext } from 'node:vm';
    const tf = await import(${JSON.stringify(pathToFileURL(path.join(root, 'dist/node.js')).href)});
    let state = ${seed};
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    // Node makes crypto when it is first asked for, and a time limit in that breaks it.
    crypto.getRandomValues(new Uint8Array(1));
    const filter = tf.ones([3, 3, 16, 16]);
    const inputs = tf.ones([4, 3, 2]);
    const targets = tf.ones([4, 1]);
    const context = createContext({ tf, filter, inputs, targets });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
    const works = () => tf.tidy(() => tf.matMul([[1, 2]], [[3], [4]]).arraySync()[0][0] === 11);
    const found = { cuts: 0, errors: [], refused: false };
    const attempt = (body) => {
      try {
        return body();
      } catch (error) {
        if (error instanceof tf.InterruptedError && /new process/.test(error.message)) found.refused = true;
        else if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') found.cuts++;
        // A layer that a cut left half-built says so.
        else if (!/half-built/.test(error.message)) found.errors.push(String(error.stack));
      }
    };
    const held = () => {
      const { numTensors, detail } = tf.memory();
      const { heapUsed, cpuPool, scopes, scratch, heapCommitted } = detail;
      if (!(scratch >= 0 && scratch <= heapUsed && heapUsed <= heapCommitted)) found.errors.push(JSON.stringify(detail));
      return { numTensors, scopes, bytes: heapUsed - cpuPool };
    };
    works();
    tf.tidy(() => void tf.ones([64, 64]).sum());
    const before = held();
    for (let i = 0; i < ${kCuts} && !found.refused && found.errors.length === 0; i++) {
      attempt(() => runInContext(${JSON.stringify(code)}, context, { timeout: 1 + Math.floor(random() * 12) }));
      const right = attempt(works);
      if (right === false) found.errors.push('another product');
      attempt(held);
      if (i % 5 === 0) await pause();
    }
    await pause();
    if (found.refused) {
      const calls = [works, held, () => tf.ones([2]), () => filter.dispose(), () => inputs.dataSync(), () => tf.sequential()
        .add(tf.layers.dense({ units: 1, inputShape: [1] })), () => tf.scope(), () => tf.engine().startScope()];
      calls.forEach((call, i) => {
        try {
          call();
          found.errors.push('call ' + i + ' was not refused');
        } catch (error) {
          if (!(error instanceof tf.InterruptedError)) found.errors.push(String(error.stack));
        }
      });
    } else {
      attempt(() => {
        const after = held();
        found.more = Object.fromEntries(Object.keys(before).map((key) => [key, after[key] - before[key]]));
      });
    }
    console.log(JSON.stringify(found));
    process.exit();`;
}

async function run(code, seed) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(code, seed)], { cwd: root });
  let [out, error] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (error += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(status, 0, error);
  return JSON.parse(out);
}

for (const [name, code] of Object.entries(kPrograms)) {
  test(`after time limits in ${name}, the engine repairs itself or refuses calls`, async (t) => {
    for (const seed of kSeeds) {
      const { errors, refused, more, cuts } = await run(code, seed);
      const label = `${name}, seed ${seed}, ${cuts} cuts`;
      assert.deepEqual(errors, [], label);
      t.diagnostic(`${label}: ${refused ? 'refused' : JSON.stringify(more)}`);
      if (refused) continue;
      assert.ok(cuts > 0, label);
      assert.equal(more.scopes, 0, label);
      // A model that was not disposed keeps its weights.
      if (!kMakesModels.has(name)) assert.equal(more.numTensors, 0, label);
      if (name === 'ops') assert.ok(more.bytes <= kMaxBytesPerCut * cuts, `${label}: ${more.bytes} bytes`);
    }
  });
}
