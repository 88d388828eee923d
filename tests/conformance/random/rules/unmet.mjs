// Differences that random calls and random models do not meet. They have no rule, only a row in docs/differences.md.

export const unmetOps = [
  {
    theirs: 'The gradient of `avgPool` divides by the size of the window, also where the average leaves out padding.',
    ours: 'Divides by the number of elements that were averaged.',
    why: 'It is the gradient of the average.',
  },
  {
    theirs: 'The gradient of `mirrorPad` leaves out the mirrored borders.',
    ours: 'Includes them.',
    why: 'It is the gradient of the result.',
  },
  {
    theirs: 'The gradient of `depthwiseConv2d` throws for dilations above 1.',
    ours: 'Computes it.',
    why: 'Training needs it.',
  },
  {
    theirs:
      '3-D convolutions and pools with `same` padding start beside the volume if their windows are narrower than their strides.',
    ours: 'Starts at the first element.',
    why: 'As in TensorFlow.',
  },
  {
    theirs: '`conv3d` and `conv3dTranspose` accept int32.',
    ours: 'Throws.',
    why: 'As `conv2d` does in both libraries.',
  },
  {
    theirs: '`conv2dTranspose` accepts an output shape that no convolution could turn into the shape of the input.',
    ours: 'Throws.',
    why: 'A wrong shape is an error.',
  },
  {
    theirs: '`topk` returns values in the wrong order if one of them is NaN.',
    ours: 'Counts NaN as the largest value.',
    why: 'As NumPy sorts.',
  },
  {
    theirs: 'An element of a string buffer that was never set is undefined.',
    ours: 'It is an empty string.',
    why: 'As numbers are 0.',
  },
  {
    theirs:
      'Random ops, initializers and dropout without a seed take one from `Math.random()`: programs make them repeatable with `Math.seedrandom()` of the package seedrandom, which replaces that function.',
    ours: 'Does not call `Math.random()` for them: pass a `seed` to each op, initializer and layer. (The shuffling of `fit`, and `tf.util`, call it in both libraries.)',
    why: 'The engine draws its random numbers itself.',
  },
];

export const unmetModels = [
  {
    theirs: 'In training, `alphaDropout` sets dropped elements to 1.76, so that the mean grows.',
    ours: 'Sets them to -1.76, the limit of `selu`, before it scales.',
    why: 'As in Keras: mean and variance are kept.',
  },
  {
    theirs: '`outputShape` of `conv1d` layers with causal padding is too short.',
    ours: 'Has as many steps as the input.',
    why: 'As in Keras; it is the shape of the result.',
  },
  {
    theirs: '`predict` throws for a batch of no examples.',
    ours: 'Returns outputs for no examples.',
    why: 'A size of 0 is a size.',
  },
  {
    theirs:
      'Models with `resizing` layers throw. `centerCrop` and `categoryEncoding` change the shape of the symbolic tensor that is their input.',
    ours: 'Runs them, and leaves the input unchanged.',
    why: 'As in Keras.',
  },
  {
    theirs: 'Reads weights wherever a model.json names them, also at `../` and on other hosts.',
    ours: 'Throws if they are outside the folder of model.json or of `weightPathPrefix`, unless `allowWeightsOutsideFolder` is set.',
    why: 'Model files may come from anybody.',
  },
  {
    theirs: 'Runs a loop of a graph model for as long as its condition holds.',
    ours: 'Throws after 2^20 iterations and function calls in one run.',
    why: 'Model files may come from anybody.',
  },
];

export const unmetTraining = [
  {
    theirs:
      '`fitDataset` begins one pass over the dataset more than it has epochs: the orders of a seeded `shuffle` are those of the second pass and later ones.',
    ours: 'Begins one pass for each epoch.',
    why: 'To begin a pass may open a file or start a camera.',
  },
  {
    theirs:
      'For a model with several outputs, `evaluate` and `evaluateDataset` return the running sums of the losses in place of the total loss: with outputs a and b, the loss of a, the sum of both, then the losses and the metrics. The values do not match `metricsNames`.',
    ours: 'Returns the values of `metricsNames`: the total loss, the loss of each output, the metrics.',
    why: 'As in Keras, and as `trainOnBatch` does in both libraries.',
  },
  {
    theirs:
      'For the same reason `val_loss`, `val_<output>_loss` and the metrics after them have the values of other names.',
    ours: 'Each has its own value.',
    why: 'As in Keras.',
  },
  {
    theirs:
      '`fit` throws for `sampleWeight` and for weights in `validationData`. `evaluate` and `trainOnBatch` ignore weights of samples and classes, and `compile` ignores `lossWeights`.',
    ours: 'Applies them. The loss of each output is listed without its `lossWeights`, and the total loss with them.',
    why: 'As in Keras.',
  },
  {
    theirs: 'Training and evaluating throw a TypeError if `compile` gives losses for only some outputs.',
    ours: 'Trains on these; `metricsNames` has no loss for the others.',
    why: 'As in Keras.',
  },
  {
    theirs: 'Regularizers of recurrent layers add no loss, and those of a shared layer add one for each call.',
    ours: 'Each adds one loss.',
    why: 'As in Keras.',
  },
  {
    theirs: 'Applies constraints only when weights are set.',
    ours: 'Applies them after each training step, too.',
    why: 'As in Keras.',
  },
  {
    theirs: 'Averages losses and metrics over batches in float32.',
    ours: 'Averages them in float64: values in `history` differ from the eighth digit on.',
    why: 'They are numbers in JavaScript.',
  },
  {
    theirs: 'The logs that `onBatchBegin` receives get the losses of the batch later.',
    ours: 'They have only `batch` and `size`.',
    why: 'The losses are in the logs of `onBatchEnd`.',
  },
  {
    theirs:
      'An optimizer stores its state, such as momentum, by the position of a variable: another variable at that position continues with it, also if the first one was disposed.',
    ours: 'Stores it by variable, and frees it at the first update after the variable was disposed.',
    why: 'One optimizer can train several models.',
  },
  {
    theirs: '`setWeights` of an optimizer accepts weights of another kind of optimizer.',
    ours: 'Throws if their number does not fit.',
    why: 'They have another meaning.',
  },
  {
    theirs:
      '`numDisposedVariables`, which `model.dispose()` returns, counts the scalars of an optimizer that was given by name.',
    ours: 'Does not count them.',
    why: 'They are numbers, not tensors.',
  },
];
