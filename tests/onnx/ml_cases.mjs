// Nodes of the domain ai.onnx.ml, as scikit-learn's models are exported, whose results are compared with onnxruntime's.
import { randomFloats, sizeOf } from '../bench/random.mjs';

const kFeatures = 5;
const kModes = ['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT', 'BRANCH_EQ', 'BRANCH_NEQ'];
let seed = 400;

const values = (count, low, high) => randomFloats(count, ++seed, low, high);
const float = (shape, low = -1, high = 1) => ({ type: 'float32', shape, values: values(sizeOf(shape), low, high) });
const floats = (list, shape = [list.length]) => ({ type: 'float32', shape, values: Float32Array.from(list) });
const int64s = (list, shape = [list.length]) => ({ type: 'int64', shape, values: BigInt64Array.from(list, BigInt) });
const texts = (list, shape = [list.length]) => ({ type: 'string', shape, values: list });
const list = (count, low = -1, high = 1) => ({ floats: [...values(count, low, high)] });

const node = (op, inputs, attributes, types = ['float32'], domainVersion = 3) => ({
  op,
  domain: 'ai.onnx.ml',
  domainVersion,
  inputs,
  attributes,
  outputs: types.length,
  types,
});
const labels = (of, integers = 'classlabels_int64s') => ({
  [typeof of[0] === 'string' ? 'classlabels_strings' : integers]: of,
});
const outputs = (of) => [typeof of[0] === 'string' ? 'string' : 'int64', 'float32'];
/** Rows, the last of which lacks a value. */
const samples = (rows) => {
  const x = float([rows, kFeatures]);
  x.values[x.values.length - 1] = NaN;
  return x;
};

/**
 * Returns the attributes of random trees whose leaves vote for `votes` targets from `first` on. `prefix` begins the names of the
 * votes' attributes.
 */
function trees({ count, depth, targets, prefix, low = 0, votes = targets, first = 0, modes = ['BRANCH_LEQ'] }) {
  const nodes = [];
  const ballots = [];
  const grow = (tree, level) => {
    const id = nodes.filter((one) => one.tree === tree).length;
    const [choice, feature, value] = values(3, 0, 1);
    const at = { tree, id, feature: Math.floor(feature * kFeatures), value: value * 2 - 1, yes: 0, no: 0 };
    nodes.push(at);
    if (level === 0 || choice < 0.1) {
      at.mode = 'LEAF';
      for (let i = 0; i < votes; ++i) ballots.push({ tree, id, target: first + i, weight: values(1, low, 1)[0] });
    } else {
      at.mode = modes[nodes.length % modes.length];
      at.yes = grow(tree, level - 1);
      at.no = grow(tree, level - 1);
    }
    return id;
  };
  for (let tree = 0; tree < count; ++tree) grow(tree, depth);
  const all = (key) => nodes.map((one) => one[key]);
  const each = (key) => ballots.map((one) => one[key]);
  return {
    nodes_treeids: all('tree'),
    nodes_nodeids: all('id'),
    nodes_featureids: all('feature'),
    nodes_values: { floats: all('value') },
    nodes_modes: all('mode'),
    nodes_truenodeids: all('yes'),
    nodes_falsenodeids: all('no'),
    nodes_missing_value_tracks_true: nodes.map((_, i) => i % 2),
    [`${prefix}_treeids`]: each('tree'),
    [`${prefix}_nodeids`]: each('id'),
    [`${prefix}_ids`]: each('target'),
    [`${prefix}_weights`]: { floats: each('weight') },
  };
}

const classifier = (of, options, attributes = {}) =>
  node(
    'TreeEnsembleClassifier',
    [samples(20)],
    { ...trees({ count: 7, depth: 4, targets: of.length, prefix: 'class', ...options }), ...labels(of), ...attributes },
    outputs(of),
  );
const regressor = (targets, options, attributes = {}) =>
  node('TreeEnsembleRegressor', [samples(20)], {
    ...trees({ count: 7, depth: 4, targets, prefix: 'target', low: -1, ...options }),
    n_targets: targets,
    ...attributes,
  });

const linear = (of, targets, attributes = {}) =>
  node(
    'LinearClassifier',
    [float([9, kFeatures])],
    {
      coefficients: list(targets * kFeatures),
      intercepts: list(targets),
      ...labels(of, 'classlabels_ints'),
      ...attributes,
    },
    outputs(of),
  );

const vectors = (of, each, attributes = {}) => {
  const count = of.length * each;
  return node(
    'SVMClassifier',
    [float([9, kFeatures])],
    {
      coefficients: list((of.length - 1) * count),
      support_vectors: list(count * kFeatures),
      vectors_per_class: of.map(() => each),
      rho: list((of.length * (of.length - 1)) / 2),
      kernel_type: 'RBF',
      kernel_params: { floats: [0.7, 0.3, 2] },
      ...labels(of, 'classlabels_ints'),
      ...attributes,
    },
    outputs(of),
  );
};
const machine = (attributes) =>
  node('SVMRegressor', [float([9, kFeatures])], {
    coefficients: list(6),
    support_vectors: list(6 * kFeatures),
    n_supports: 6,
    rho: list(1),
    kernel_params: { floats: [0.7, 0.3, 3] },
    ...attributes,
  });

/** A TreeEnsemble of one tree that compares by LEQ and GTE. */
const listed = (attributes) =>
  node(
    'TreeEnsemble',
    [floats([1.2, 3.4, -0.12, 1.66, 4.14, 1.77], [3, 2])],
    {
      nodes_splits: { tensor: floats([3.14, 1.2, 4.2]) },
      nodes_featureids: [0, 0, 1],
      nodes_modes: { tensor: { type: 'uint8', shape: [3], values: Uint8Array.of(0, 0, 2) } },
      nodes_truenodeids: [1, 0, 2],
      nodes_trueleafs: [0, 1, 1],
      nodes_falsenodeids: [2, 1, 3],
      nodes_falseleafs: [0, 1, 1],
      leaf_targetids: [0, 1, 0, 1],
      leaf_weights: { tensor: floats([5.23, 12.12, -12.23, 7.21]) },
      tree_roots: [0],
      n_targets: 2,
      ...attributes,
    },
    ['float32'],
    5,
  );

export const mlCases = [
  classifier([3, 1, 4], {}),
  classifier(['a', 'b', 'c', 'd'], { modes: kModes }, { post_transform: 'SOFTMAX' }),
  classifier([0, 1, 2], { low: -1 }, { post_transform: 'LOGISTIC', base_values: { floats: [0.5, -0.2, 0.1] } }),
  classifier([0, 1, 2], { votes: 2, first: 1, low: -1 }, { post_transform: 'SOFTMAX_ZERO' }),
  classifier([5, 7], { votes: 1 }),
  classifier([5, 7], { votes: 1, first: 1 }),
  classifier([5, 7], { votes: 1 }, { post_transform: 'LOGISTIC' }),
  classifier([5, 7], { votes: 1, first: 1 }, { post_transform: 'LOGISTIC' }),
  classifier(['no', 'yes'], { votes: 1, first: 1, low: -1 }, { post_transform: 'LOGISTIC' }),
  classifier(['no', 'yes'], { votes: 1, low: -1 }, { post_transform: 'LOGISTIC' }),
  classifier(['no', 'yes'], { votes: 1, low: -1 }, { base_values: { floats: [0.3] } }),
  regressor(1, {}),
  regressor(1, { modes: kModes }, { base_values: { floats: [1.5] }, aggregate_function: 'AVERAGE' }),
  regressor(3, {}, { aggregate_function: 'MIN' }),
  regressor(2, {}, { aggregate_function: 'MAX', base_values: { floats: [1, 2] } }),
  regressor(2, {}, { post_transform: 'SOFTMAX' }),
  listed({}),
  listed({ aggregate_function: 0, post_transform: 3 }),
  linear([0, 1, 2], 3, { post_transform: 'SOFTMAX' }),
  linear(['x', 'y'], 2, { post_transform: 'LOGISTIC' }),
  linear(['x', 'y'], 1),
  linear([4, 9], 1),
  linear([4, 9], 1, { post_transform: 'LOGISTIC' }),
  node('LinearRegressor', [float([6, kFeatures])], { coefficients: list(kFeatures), intercepts: list(1) }),
  node('LinearRegressor', [float([6, kFeatures])], {
    coefficients: list(3 * kFeatures),
    intercepts: list(3),
    targets: 3,
  }),
  vectors([0, 1, 2], 4),
  vectors(['u', 'v'], 3),
  vectors([0, 1, 2], 3, { kernel_type: 'POLY', prob_a: list(3, -2, -1), prob_b: list(3) }),
  vectors([0, 1], 3, { kernel_type: 'SIGMOID', prob_a: list(1, -2, -1), prob_b: list(1) }),
  machine({ kernel_type: 'RBF' }),
  machine({ kernel_type: 'POLY', one_class: 1 }),
  node('SVMRegressor', [float([9, kFeatures])], {
    coefficients: list(kFeatures),
    rho: list(1),
    kernel_params: { floats: [0, 0, 0] },
  }),
  node('Scaler', [float([4, 3])], { offset: list(3), scale: list(3, 1, 2) }),
  node('Scaler', [int64s([1, 2, 3, 4], [2, 2])], { offset: list(1), scale: list(1, 1, 2) }),
  ...['MAX', 'L1', 'L2'].map((norm) => node('Normalizer', [float([4, 3], 0.1, 2)], { norm })),
  node('Normalizer', [floats([0, 0, 3, -4], [2, 2])], { norm: 'L2' }),
  node('Imputer', [floats([1, NaN, NaN, 4], [2, 2])], {
    imputed_value_floats: { floats: [7, 8] },
    replaced_value_float: { float: NaN },
  }),
  node('Imputer', [int64s([1, -1, -1, 4], [2, 2])], { imputed_value_int64s: [9], replaced_value_int64: -1 }, ['int64']),
  node('Binarizer', [float([3, 4])], { threshold: { float: 0.2 } }),
  node('OneHotEncoder', [int64s([1, 5, 3, 2], [2, 2])], { cats_int64s: [3, 1, 5] }),
  node('OneHotEncoder', [texts(['a', 'c', 'b'])], { cats_strings: ['b', 'a'] }),
  node('OneHotEncoder', [floats([1.7, 2], [2, 1])], { cats_int64s: [1, 2] }),
  node('ArrayFeatureExtractor', [float([3, 4]), int64s([2, 0, 2])], {}),
  node('ArrayFeatureExtractor', [texts(['p', 'q', 'r']), int64s([2, 1], [1, 2])], {}, ['string']),
  node('FeatureVectorizer', [float([2, 2]), float([2, 3])], { inputdimensions: [2, 3] }),
  node('LabelEncoder', [texts(['a', 'z', 'b'])], { keys_strings: ['a', 'b'], values_int64s: [7, 8] }, ['int64']),
  node(
    'LabelEncoder',
    [int64s([5, 6, 7], [3, 1])],
    { keys_int64s: [5, 7], values_strings: ['five', 'seven'], default_string: '?' },
    ['string'],
  ),
  node(
    'LabelEncoder',
    [floats([1, NaN, 2])],
    {
      keys_floats: { floats: [1, NaN] },
      values_floats: { floats: [0.5, 0.25] },
      default_float: { float: -1 },
    },
    ['float32'],
    4,
  ),
  node('LabelEncoder', [texts(['b', 'q'])], { classes_strings: ['a', 'b'] }, ['int64'], 1),
  node('CategoryMapper', [int64s([2, 9, 1])], { cats_int64s: [1, 2], cats_strings: ['one', 'two'] }, ['string'], 1),
  node('CategoryMapper', [texts(['two', 'x'])], { cats_int64s: [1, 2], cats_strings: ['one', 'two'] }, ['int64'], 1),
];
