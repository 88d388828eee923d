const tf = require('tenure');
const { create } = require('@tensorflow-models/knn-classifier');

const classifier = create();
const x = tf.tensor1d([10, 0]);
classifier.addExample(x, 'ten');
classifier.predictClass(x, 1).then(({ label }) => {
  const value = tf.tidy(() => x.sum().dataSync()[0]);
  classifier.dispose();
  x.dispose();
  console.log(label === 'ten' ? `${value} ${tf.memory().numTensors}` : label);
});
