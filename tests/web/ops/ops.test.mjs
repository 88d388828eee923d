import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, tf } from '../expect.mjs';
import { cases } from './cases.mjs';

/** Ops of the list that have another name in the package. */
const kElsewhere = {
  addAndActivate: 'conv2d',
  complexAbs: 'abs',
  conj: 'irfft',
  cosineWindow: 'hannWindow',
  fillLike: 'zerosLike',
  identity: 'clone',
  topkIndices: 'topk',
};
/** Random ops; random.test.mjs tests them. */
const kDrawn = ['randomUniform', 'randomNormal', 'truncatedNormal', 'randomGamma', 'multinomial', 'dropout'];
/** Ops that only gradients call. */
const kInGradients = /Backprop|Grad$|maxPoolPositions/;
/** Ops that only imported models call; tests/cpp/ops/cases and the tests of ONNX test them. */
const kInImportedModels = [
  'dequantizeBlocks',
  'matMulNBits',
  'matMulInteger',
  'dynamicQuantizeMatMul',
  'conv2dInteger',
  'checkedArithmetic',
];
/** Families with test files of their own, which name the ops that they call. */
const kOwnTests = [
  '../kernels.test',
  './complex.test',
  './strings.test',
  '../train/optimizers.test',
  '../../conformance/training',
];

for (const [i, [name, call, shape, values, dtype]] of cases.entries()) {
  test(`${name}, row ${i}`, () => {
    leavesNothing(() => tf.tidy(() => assertTensor(call(), shape, values, dtype)));
  });
}

test('sigmoid returns subnormal values, which GPUs may flush to 0', () => {
  leavesNothing(() => tf.tidy(() => assertTensor(tf.sigmoid([-90]).mul(1e38).mul(10), [1], [0.8194])));
});

test('every op of the list has a function and a test row', () => {
  const generated = readFileSync(new URL('../../../web/src/generated/ops.ts', import.meta.url), 'utf8');
  const [, list] = /opNames[^[]*\[\] = \[([^\]]*)\]/.exec(generated);
  const tested = new Set(cases.map(([name]) => name.split('.').at(-1)));
  const named = kOwnTests.map((file) => readFileSync(new URL(`${file}.mjs`, import.meta.url), 'utf8')).join('\n');
  const missing = [...list.matchAll(/'(\w+)'/g)]
    .map(([, name]) => kElsewhere[name] ?? name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(named))
    .filter((name) => !tested.has(name) && !kDrawn.includes(name) && !kInGradients.test(name))
    .filter((name) => !kInImportedModels.includes(name));
  assert.deepEqual(missing, []);
});
