// ONNX models with weights of 4, 8 and 16 bits on the backend 'webgpu', in Node on the npm package 'webgpu'.
import { before, test } from 'node:test';
import { assert } from '../expect.mjs';
import { runProgram, skip } from './webgpu_process.mjs';

// Products of 8 bits quantize their inputs, of which the backends may round one to different integers.
const kProducts = {
  4: { kernel: 'MatMulNBits', tolerance: 1e-4 },
  8: { kernel: 'DynamicQuantizeMatMul', tolerance: 0.02 },
  16: { kernel: 'BatchMatMul', tolerance: 1e-4 },
};

let found;

before(() => {
  if (!skip) found = runProgram('webgpu_quantized_program.mjs');
});

for (const [bits, { kernel, tolerance }] of Object.entries(kProducts)) {
  test(`products with weights of ${bits} bits run on the GPU`, { skip }, () => {
    const { differences, size, names, fallbacks, downloads } = found[bits];
    for (const difference of differences) assert.ok(difference < tolerance * size, `${difference} of ${size}`);
    assert.equal(names.filter((name) => name === kernel).length, 2, names.join());
    assert.equal(fallbacks, 0);
    assert.equal(downloads, 0);
  });

  test(`a model with weights of ${bits} bits leaves no tensors and buffers`, { skip }, () =>
    assert.deepEqual(found[bits].after, found[bits].before),
  );
}
