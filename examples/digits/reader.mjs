/** Returns a compiled network for pictures of 28 x 28 digits, which owns its optimizer. */
export function makeReader(tf) {
  const { layers } = tf;
  const kernelInitializer = (seed) => tf.initializers.heNormal({ seed });
  const model = tf.sequential({
    layers: [
      layers.conv2d({
        inputShape: [28, 28, 1],
        filters: 8,
        kernelSize: 5,
        activation: 'relu',
        kernelInitializer: kernelInitializer(1),
      }),
      layers.maxPooling2d({ poolSize: 2 }),
      layers.conv2d({ filters: 16, kernelSize: 5, activation: 'relu', kernelInitializer: kernelInitializer(2) }),
      layers.maxPooling2d({ poolSize: 2 }),
      layers.flatten(),
      layers.dense({ units: 10, activation: 'softmax', kernelInitializer: kernelInitializer(3) }),
    ],
  });
  model.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  return model;
}
