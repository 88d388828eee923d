const tf = require('tenure');
test('it runs', () => {
  expect(tf.tidy(() => tf.tensor1d([1, 2, 3, 4]).sum().dataSync()[0])).toBe(10);
  expect(tf.memory().numTensors).toBe(0);
});
