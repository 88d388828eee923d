// The layers that the factories create have the fields of the types in web/src/models/layers/layer_classes.ts.
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { assert, tf } from '../expect.mjs';

const source = readFileSync(new URL('../../../web/src/models/layers/layer_classes.ts', import.meta.url), 'utf8');
const classes = Array.from(
  source.matchAll(/tf\.layers\.(\w+)\(\)[^\n]*\nexport interface (\w+) extends (\w+) \{\n(.*?)\n\}/gs),
  ([, factory, name, base, body]) => ({
    factory,
    name,
    base,
    fields: [...body.matchAll(/readonly (\w+): (.*);/g)].map(([, field, type]) => [field, type]),
  }),
);
/** Arguments for all factories: each takes those that it has. */
const kArguments = {
  ...{
    activation: 'relu',
    axes: 1,
    cropping: 1,
    dims: [1],
    factor: 0.5,
    filters: 2,
    height: 2,
    inputDim: 3,
    kernelSize: 2,
  },
  ...{ n: 2, numTokens: 3, outputDim: 2, rate: 0.5, scale: 2, stddev: 1, targetShape: [2], units: 2, width: 2 },
};
const kIsNumbers = (value) => Array.isArray(value) && value.every(Number.isInteger);
/** Checks of values, by type. */
const kChecks = {
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'number[]': kIsNumbers,
  Shape: kIsNumbers,
  Initializer: (value) => typeof value?.apply === 'function',
  Regularizer: (value) => typeof value?.apply === 'function',
  Constraint: (value) => typeof value?.apply === 'function',
  undefined: (value) => value === undefined,
  null: (value) => value === null,
};

for (const { factory, name, base, fields } of classes) {
  test(`tf.layers.${factory}() has the fields of ${name}`, () => {
    // Its fields have other meanings for BatchNormalization and LayerNormalization, where `scale` is a flag.
    const { scale, ...others } = kArguments;
    const layer = tf.layers[factory](name === 'Rescaling' ? { ...others, scale } : others);
    assert.equal(layer.getClassName(), name);
    assert.ok(fields.length > 0);
    if (base === 'RNN') assert.ok(layer instanceof tf.RNN);
    for (const [field, type] of fields) {
      assert.ok(field in layer, field);
      const options = type.split(/ \| (?![^[]*\])/);
      const isOne = options.some((option) =>
        option.startsWith("'") ? `'${layer[field]}'` === option : (kChecks[option] ?? Array.isArray)(layer[field]),
      );
      assert.ok(isOne, `${field} is ${JSON.stringify(layer[field])}, not ${type}`);
    }
  });
}

test('every class has a type', () => assert.ok(classes.length > 40, `${classes.length} classes`));
