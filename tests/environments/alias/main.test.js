const tf = require('@tensorflow/tfjs');
const { create } = require('@tensorflow-models/knn-classifier');

test('a package for TensorFlow.js runs', async () => {
  const classifier = create();
  const x = tf.tensor1d([1, 0]);
  classifier.addExample(x, 'a');
  expect((await classifier.predictClass(x, 1)).label).toBe('a');
  classifier.dispose();
  x.dispose();
  expect(tf.version.tenure).toBeDefined();
});
