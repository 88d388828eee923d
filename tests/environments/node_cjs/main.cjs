const tf = require('tenure');
const sum = tf.tidy(() => tf.tensor1d([1, 2, 3, 4]).sum());
const [value] = sum.dataSync();
sum.dispose();
console.log(`${value} ${tf.memory().numTensors}`);
