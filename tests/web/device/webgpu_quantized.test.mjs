// ONNX models with weights of 4, 8 and 16 bits on the backend 'webgpu', in Node on the npm package 'webgpu'.
import { before, test } from 'node:test';
import { assert } from '../expect.mjs';
import { runProgram, skip } from './webgpu_process.mjs';

const kProducts = { 4: 'MatMulNBits', 8: 'DynamicQuantizeMatMul', 16: 'BatchMatMul' };

let found;

before(() => {
  if (!skip) found = runProgram('webgpu_quantized_program.mjs');
});

for (const [bits, product] of Object.entries(kProducts)) {
  test(`products with weights of ${bits} bits run on the GPU`, { skip }, () => {
    const { differences, size, names, fallbacks, downloads } = found[bits];
    for (const difference of differences) assert.ok(difference < 1e-4 * size, `${difference} of ${size}`);
    assert.equal(names.filter((name) => name === product).length, 2, names.join());
    assert.equal(fallbacks, 0);
    assert.equal(downloads, 0);
  });

  test(`a model with weights of ${bits} bits leaves no tensors and buffers`, { skip }, () =>
    assert.deepEqual(found[bits].after, found[bits].before),
  );
}
