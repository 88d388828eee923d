import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

const data = Uint8Array.from({ length: 2 * 3 * 4 }, (_, i) => i * 10);
const picture = { width: 3, height: 2, data };

for (const channels of [1, 2, 3, 4]) {
  test(`pixels convert to a tensor of ${channels} channels`, () => {
    leavesNothing(() =>
      tf.tidy(() => {
        const expected = [...data].filter((_, i) => i % 4 < channels);
        assertTensor(tf.browser.fromPixels(picture, channels), [2, 3, channels], expected, 'int32');
      }),
    );
  });
}

test('a source without pixels is refused', async () => {
  const { fromPixels, fromPixelsAsync } = tf.browser;
  assert.throws(() => fromPixels(picture, 5), {
    message: 'Cannot construct Tensor with more than 4 channels from pixels.',
  });
  assert.throws(() => fromPixels(null), { message: 'pixels passed to tf.browser.fromPixels() can not be null' });
  assert.throws(() => fromPixels([1, 2]), /must be either an HTMLVideoElement.* but was Array$/);
  for (const channels of [0, -1, 1.5, NaN]) {
    assert.throws(() => fromPixels(picture, channels), {
      message: `[fromPixels] expected 1 to 4 channels, got ${channels}`,
    });
  }
  for (const size of [-1, 0, NaN]) {
    const nothing = { width: size, height: size, data: new Uint8Array(size * size * 4 || 0) };
    assert.throws(() => fromPixels(nothing), {
      message: `[fromPixels] expected pixels of a positive width and height, got ${size} x ${size}`,
    });
  }
  assert.throws(() => fromPixels({ ...picture, width: 4 }), /expected 32 bytes for 4 x 2 pixels, got 24/);
  await assert.rejects(fromPixelsAsync([1, 2]), /but was Array$/);
});

test('a tensor converts to pixels', () =>
  leavesNothingAsync(async () => {
    const gray = tf.tensor2d([
      [0, 0.5],
      [1, 0.25],
    ]);
    assert.deepEqual(
      [...(await tf.browser.toPixels(gray))],
      [0, 128, 255, 64].flatMap((v) => [v, v, v, 255]),
    );
    const color = tf.tensor3d([[[1, 2, 3, 4]]], undefined, 'int32');
    assert.deepEqual([...(await tf.browser.toPixels(color))], [1, 2, 3, 4]);
    tf.dispose([gray, color]);
  }));

test('a tensor that is no image is refused', () =>
  leavesNothingAsync(async () => {
    const refused = [
      [tf.ones([4]), 'toPixels only supports rank 2 or 3 tensors, got rank 1.'],
      [tf.ones([1, 1, 2]), 'toPixels only supports depth of size 1, 3 or 4 but got 2'],
      [tf.ones([1, 1], 'bool'), 'Unsupported type for toPixels: bool. Please use float32 or int32 tensors.'],
      [tf.fill([1, 1], 2), 'Tensor values for a float32 Tensor must be in the range [0 - 1] but encountered 2.'],
      [
        tf.fill([1, 1], 256, 'int32'),
        'Tensor values for a int32 Tensor must be in the range [0 - 255] but encountered 256.',
      ],
    ];
    for (const [image, message] of refused) {
      await assert.rejects(tf.browser.toPixels(image), { message });
      image.dispose();
    }
  }));
