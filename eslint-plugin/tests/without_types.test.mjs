// Plain JavaScript with ESLint's own parser: each line that is marked leaks, and must be found; no other may be.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Linter } from 'eslint';
import plugin from '../src/index.js';
import { root } from '../../cpp/toolchain/use.mjs';

const kPrograms = {
  'a webcam that is captured in a loop': `
    async function run() {
      const webcam = await tf.data.webcam(video);
      while (true) {
        const img = await webcam.capture(); // leaks: require-dispose
        console.log(img.shape);
        await tf.nextFrame();
      }
    }`,
  'a webcam that is an argument': `
    async function run(webcam, model) {
      while (true) {
        const img = await webcam.capture(); // leaks: require-dispose
        if (img.shape[0] === 0) break;
        const other = await webcam.capture();
        other.dispose();
      }
    }`,
  'what a loop takes apart, and frames': `
    const webcam = await tf.data.webcam(video);
    for (const x of xs) {
      const [a, b] = tf.split(x, 2); // leaks: require-dispose
      a.dispose();
    }
    for await (const img of webcam) { // leaks: require-dispose
      console.log(img.shape);
    }`,
  'a chain': `
    const a = tf.ones([2]);
    const y = a.mul(2).add(1).relu(); // leaks: no-unowned-tensor
    tf.dispose([a, y]);
    tf.zeros([2]); // leaks: no-unowned-tensor`,
  'a function that returns numbers': `
    function values() {
      const x = tf.ones([2]); // leaks: require-dispose
      const data = x.dataSync();
      return data;
    }`,
  'an async tidy': `
    const work = async () => {};
    tf.tidy(work); // leaks: no-async-tidy
    tf.tidy(async () => {}); // leaks: no-async-tidy
    tf.tidy(() => {});`,
  'a tensor that leaves its scope': `
    let last;
    const all = [];
    tf.tidy(() => {
      last = tf.ones([2]); // leaks: no-escaping-tensor
      all.push(tf.ones([2])); // leaks: no-escaping-tensor
      const y = tf.ones([2]).add(1);
      setTimeout(() => y.print(), 10); // leaks: no-escaping-tensor
    });`,
  'a field that is overwritten': `
    class Mean {
      mean = tf.scalar(0);
      see(value) {
        this.mean = tf.tidy(() => this.mean.mul(0.9).add(value)); // leaks: no-overwritten-tensor
      }
    }
    let frame;
    function watch(video) {
      for (;;) {
        frame = tf.browser.fromPixels(video); // leaks: no-overwritten-tensor
      }
    }`,
  'what is freed, or no tensor': `
    function double(x) {
      const y = x.add(1);
      return y.mul(2);
    }
    function scale(x) {
      const two = tf.scalar(2);
      return x.mul(two);
    }
    function both(x) {
      const y = tf.ones([2]);
      const z = x.add(tf.scalar(1));
      return { y, z };
    }
    const image = tf.tidy(() => tf.ones([2]).add(1));
    image.dispose();
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 1 }));
    const [first, ...rest] = [1, 2].map((x) => x + 1).slice(1);
    const step = () => { return tf.ones([2]).add(1); };
    const names = new Set();
    names.add('x');
    const text = 'abc'.slice(1).concat('d');
    const screen = camera.capture();`,
};
const kHeads = {
  "an import of 'tenure'": "import * as tf from 'tenure';",
  'a require()': "const tf = require('@tensorflow/tfjs-node');",
  'a script of a page': '',
};

function reportsIn(text) {
  const linter = new Linter();
  const sourceType = text.startsWith('import') ? 'module' : 'commonjs';
  const found = linter.verify(
    text,
    [{ files: ['**/*.js'], languageOptions: { sourceType } }, plugin.configs.recommended],
    'file.js',
  );
  return found.map(({ line, ruleId, message }) => `${line}: ${ruleId?.replace('tenure/', '') ?? message}`);
}

for (const [head, start] of Object.entries(kHeads)) {
  for (const [name, program] of Object.entries(kPrograms)) {
    test(`${name}, with ${head}`, () => {
      const isScript = start === '';
      const text = `${start}\nasync function main() {${program}\n}\nmain();\n`;
      const expected = text
        .split('\n')
        .flatMap((line, i) => (/\/\/ leaks: (.*)/.exec(line) ? [`${i + 1}: ${/\/\/ leaks: (.*)/.exec(line)[1]}`] : []));
      // The capture of an argument is known by what the file imports.
      if (isScript && name.includes('argument')) return;
      assert.deepEqual(reportsIn(text), expected);
    });
  }
}

test('the examples as their text shows them', () => {
  const folder = path.join(root, 'examples');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.mjs'));
  const found = files.flatMap((file) =>
    reportsIn(`import '';${readFileSync(path.join(folder, file), 'utf8')}`).map((report) => `${file}:${report}`),
  );
  const leaks = ['15: require-dispose', '20: no-overwritten-tensor', '25: no-overwritten-tensor'];
  assert.deepEqual(
    found,
    leaks.map((leak) => `${path.join('leak_hunt', 'watcher.mjs')}:${leak}`),
  );
});
