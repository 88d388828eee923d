// A tensor of require() is a tensor of import, too.
const tf = require('tenure');
import('tenure').then((module) => {
  const sum = module.add(tf.scalar(4), 6);
  console.log(`${sum instanceof tf.Tensor && sum.dataSync()[0]} ${tf.memory().numTensors - 2}`);
});
