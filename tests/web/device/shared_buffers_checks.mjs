// Assertions about the findings of shared_buffers.mjs, for Node and for a page.
import assert from 'node:assert/strict';

export function checkSharedBuffers({ copied, adopted, messages, before, after }) {
  assert.deepEqual(copied, {
    ...{ size: 4000, values: [1, 1000], last: 1000, dtype: 'float32', shape: [1000], freed: true },
  });
  const sum = (599 * 600) / 2;
  assert.deepEqual(adopted, {
    ...{ shapes: [[30, 20], [600]], sums: [sum, sum], kept: 599, added: 0, ints: [2 ** 24 + 1, -3] },
  });
  const expected = [
    /Error: \[tensor\] a tensor of shape \[2, ?3\] needs 24 bytes, but the GPUBuffer has 20/,
    /Error: \[tensor\] the values of a GPUBuffer are float32 or int32, got dtype bool/,
    /Error: \[tensor\] with zeroCopy, a GPUBuffer must have a positive multiple of 16 bytes, got 20/,
    /ShapeError: .*-1/,
    /Error: \[tensor\] a GPUBuffer needs the usage COPY_SRC$/,
    /Error: \[tensor\] a GPUBuffer needs the usage COPY_SRC and, with zeroCopy, STORAGE/,
    /Error: \[tensor\] expected an unmapped GPUBuffer, got one that is mapped/,
    /Error: \[tensor\] expected `buffer` to be a GPUBuffer, got \[object ArrayBuffer\]/,
    /Error: \[tensor\] expected `buffer` to be a GPUBuffer, got \[object Null\]/,
    /Error: a tensor of dtype string and shape \[1\] cannot be in a buffer of this GPU/,
    /DisposedError: .*disposed/,
  ];
  assert.equal(messages.length, expected.length);
  messages.forEach((message, i) => assert.match(message, expected[i]));
  assert.deepEqual(after, before);
}
