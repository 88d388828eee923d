// Programs in the style of TensorFlow.js tutorials: each marked line leaks and must be reported, and no other line may be.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ESLint } from 'eslint';
import plugin from '../src/index.js';
import { fixture, languageOptions, settings } from './tester.mjs';

const kTutorials = {
  'a webcam that is classified in a loop': `
    async function app(model, video) {
      while (true) {
        const img = tf.browser.fromPixels(video); // leaks
        const logits = model.predict(img.toFloat().div(255).expandDims()); // leaks
        console.log((await logits.data())[0]);
        await tf.nextFrame();
      }
    }`,
  'the loss of a training loop': `
    const weight = tf.variable(tf.scalar(0)); // leaks
    function train(xs, ys) {
      for (let i = 0; i < 100; i++) {
        const loss = xs.mul(weight).sub(ys).square().mean(); // leaks
        console.log(loss.dataSync()[0]);
      }
    }`,
  'a prediction that is read': `
    async function predict(model, values) {
      const [answer] = await model.predict(tf.tensor2d([values])).argMax(-1).data(); // leaks
      return answer;
    }`,
  'a prediction under tidy': `
    function predict(model, values) {
      return tf.tidy(() => model.predict(tf.tensor2d([values])).argMax(-1).dataSync()[0]);
    }`,
  'a state that goes on': `
    let state = tf.zeros([1, 8]);
    function step(x) {
      tf.tidy(() => {
        state = state.mul(0.9).add(x); // leaks
      });
    }`,
  'a mean that moves': `
    class Mean {
      mean = tf.scalar(0);
      see(value) {
        this.mean = tf.tidy(() => this.mean.mul(0.9).add(value * 0.1)); // leaks
      }
      reset() {
        this.mean.dispose();
        this.mean = tf.scalar(0);
      }
    }`,
  'a frame that replaces the one before': `
    let frame;
    async function watch(video) {
      while (true) {
        frame = tf.browser.fromPixels(video); // leaks
        await tf.nextFrame();
      }
    }`,
  'an async tidy': `
    async function run(model, x) {
      return tf.tidy(async () => { // leaks
        const y = model.predict(x);
        return (await y.data())[0];
      });
    }`,
  'data that is normalized': `
    function normalize(values) {
      return tf.tidy(() => {
        const x = tf.tensor1d(values);
        return x.sub(x.min()).div(x.max().sub(x.min()));
      });
    }
    function show(values) {
      const normalized = tf.tidy(() => tf.tensor1d(values).div(2)); // leaks
      console.log(normalized.arraySync());
    }`,
  'an error on the way': `
    function check(values) {
      const x = tf.tensor1d(values); // leaks
      if (x.size === 0) throw new Error('there are none');
      const mean = tf.tidy(() => x.mean().dataSync()[0]);
      x.dispose();
      return mean;
    }`,
};

/** JSDoc types of the functions' parameters. */
const kTypes = {
  model: 'tf.LayersModel',
  xs: 'tf.Tensor',
  ys: 'tf.Tensor',
  x: 'tf.Tensor',
  values: 'number[]',
  video: 'HTMLVideoElement',
};
const typed = (code) =>
  code.replace(/^( *)((?:async )?function \w+\(([^)]+)\))/gm, (_, indent, head, parameters) => {
    const names = parameters.split(', ').map((name) => `@param {${kTypes[name]}} ${name}`);
    return `${indent}/** ${names.join(' ')} */ ${head}`;
  });

const eslint = new ESLint({
  cwd: fixture,
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['**/*.js'], languageOptions, settings },
    { files: ['**/*.js'], ...plugin.configs.recommended },
  ],
});

for (const [name, code] of Object.entries(kTutorials)) {
  test(name, async () => {
    const text = `import * as tf from '@tensorflow/tfjs';\n${typed(code)}\n`;
    const [{ messages }] = await eslint.lintText(text, { filePath: path.join(fixture, 'script.js') });
    const lines = text.split('\n');
    const leaking = lines.flatMap((line, i) => (line.endsWith('// leaks') ? [i + 1] : []));
    assert.deepEqual(
      messages.filter(({ fatal }) => fatal),
      [],
    );
    assert.deepEqual(
      [...new Set(messages.map(({ line }) => line))],
      leaking,
      messages.map(({ line, message }) => `${line}: ${message}`).join('\n'),
    );
  });
}
