// Random nodes of reductions, products of matrices and normalizations.
import { isFloat, kFloats, node, range, sizeOf, tensor, withoutEnd } from './values.mjs';

const kReduced = [...kFloats, 'int32', 'int64'];
const epsilon = (r) => r.maybe({ float: r.pick([1e-5, 1e-3, 0.1]) }, 0.5);

/** Returns a function that makes reductions. Their axes are an input from `since` on. */
const reduction =
  (op, since = 18, types = kReduced, span = { low: -4, high: 4 }) =>
  (r) => {
    const version = r.version(7);
    // onnxruntime's results of no elements have other shapes than the specification says.
    const shape = r.dims(0, 4, 5, 0);
    const type = r.pick(types);
    const x = r.mayFix(r.tensor(type, shape, span));
    const axes = r.axes(shape.length).map((axis) => (version < 11 && axis < 0 ? axis + shape.length : axis));
    const attributes = { keepdims: r.maybe(r.int(0, 1)) };
    const hasAxes = r.chance(0.8);
    if (version < since)
      return node(op, version, [x], { ...attributes, axes: hasAxes && axes.length > 0 ? axes : undefined });
    if (r.chance(0.4)) attributes.noop_with_empty_axes = r.int(0, 1);
    return node(op, version, hasAxes ? [x, r.list(axes)] : [x], attributes);
  };

const position = (op) => (r) => {
  const version = r.version(7);
  const shape = r.dims(1, 4, 6, 0);
  const axis = r.int(0, shape.length - 1);
  const attributes = {
    axis: axis === 0 ? r.maybe(0) : version >= 11 && r.chance(0.3) ? axis - shape.length : axis,
    keepdims: r.maybe(r.int(0, 1)),
    select_last_index: version >= 12 ? r.maybe(r.int(0, 1)) : undefined,
  };
  const x = r.tensor(r.pick(['float32', 'float64', 'int32', 'int8', 'uint8']), shape, {
    low: -2,
    high: 2,
    isWhole: r.chance(0.7),
  });
  return node(op, version, [r.mayFix(x)], attributes, { types: ['int64'] });
};

const cumulated = (op, since) => (r) => {
  const shape = r.dims(1, 4, 5);
  const axis = r.mayFix(tensor(r.pick(['int32', 'int64']), r.pick([[], [], [1]]), [r.axis(shape.length)]), 0.7);
  const attributes = { exclusive: r.maybe(r.int(0, 1)), reverse: r.maybe(r.int(0, 1)) };
  const x = r.tensor(r.pick(['float32', 'float64', 'int32', 'int64']), shape, { low: -3, high: 3 });
  return node(op, r.version(since), [r.mayFix(x), axis], attributes);
};

function topK(r) {
  const version = r.version(7);
  const type = r.pick(
    version < 11 ? ['float32', 'float64'] : ['float32', 'float64', 'int32', 'int64', 'int8', 'uint8', 'int16'],
  );
  const shape = r.dims(1, 4, 6, 0);
  const axis = r.int(0, shape.length - 1);
  const k = r.int(0, shape[axis]);
  const attributes = { axis: axis === shape.length - 1 ? r.maybe(-1) : axis };
  const more = { outputs: 2, types: [type, 'int64'] };
  const x = r.mayFix(r.tensor(type, shape, { low: -3, high: 3, isWhole: r.chance(0.5) }));
  if (version < 10) return node('TopK', version, [x], { ...attributes, k: Math.max(1, k) }, more);
  if (version >= 11) Object.assign(attributes, { largest: r.maybe(r.int(0, 1)), sorted: r.maybe(1) });
  return node('TopK', version, [x, r.list([k])], attributes, more);
}

const alongAxis = (op) => (r) => {
  const version = r.version(7);
  const shape = r.dims(op === 'Hardmax' ? 1 : 0, 4);
  const rank = shape.length;
  const axis = version >= 11 ? r.axis(rank) : r.int(0, Math.max(0, rank - 1));
  const hasDefault = rank >= 2 || version >= 13;
  const x = r.tensor(r.pick(kFloats), shape, { low: -6, high: 6, isWhole: op === 'Hardmax' });
  return node(op, version, [r.mayFix(x)], { axis: hasDefault ? r.maybe(axis) : axis });
};

function lpNormalization(r) {
  const shape = r.dims(1, 4, 5, 0);
  const x = r.tensor(r.pick(['float32', 'float64']), shape, { isWhole: r.chance(0.3), low: -2, high: 2 });
  return node('LpNormalization', r.version(7), [r.mayFix(x)], {
    axis: r.maybe(r.axis(shape.length)),
    p: r.maybe(r.int(1, 2)),
  });
}

function matMul(r) {
  const type = r.pick([...kFloats, 'int32', 'int64', 'uint32']);
  const [m, k, n] = range(3).map(() => (r.chance(0.03) ? 0 : r.int(1, 6)));
  const batch = r.dims(0, 2, 3);
  const a = r.chance(0.15) ? [k] : [...r.narrowed(batch), m, k];
  const b = r.chance(0.15) ? [k] : [...(r.chance(0.5) ? batch : r.narrowed(batch)), k, n];
  return node('MatMul', r.version(9), [r.mayFix(r.tensor(type, a)), r.mayFix(r.tensor(type, b), 0.5)]);
}

function gemm(r) {
  const type = r.pick([...kFloats, ...(r.chance(0.3) ? ['int32', 'int64'] : [])]);
  const [m, k, n] = range(3).map(() => r.int(1, 7));
  const attributes = {
    transA: r.maybe(r.int(0, 1)),
    transB: r.maybe(r.int(0, 1)),
    alpha: r.maybe({ float: r.pick(isFloat(type) ? [0.5, 1, 0, -2] : [1, 2]) }, 0.5),
    beta: r.maybe({ float: r.pick(isFloat(type) ? [0.5, 1, 0, -2] : [1, 2]) }, 0.5),
  };
  const a = r.tensor(type, attributes.transA ? [k, m] : [m, k]);
  const b = r.mayFix(r.tensor(type, attributes.transB ? [n, k] : [k, n]), 0.5);
  const version = r.version(7);
  const c = r.pick([[], [1], [n], [1, n], [m, 1], [m, n], [1, 1]]);
  const hasC = version < 11 || r.chance(0.8);
  return node(
    'Gemm',
    version,
    hasC ? [r.mayFix(a), b, r.mayFix(r.tensor(type, c), 0.5)] : [r.mayFix(a), b],
    attributes,
  );
}

function batchNormalization(r) {
  const type = r.pick(['float32', 'float32', 'float64', 'float16']);
  const shape = r.dims(2, 5, 4, 0);
  const channels = [shape[1]];
  const vector = (span) => r.mayFix(r.tensor(type, channels, span), 0.6);
  const inputs = [r.tensor(type, shape), vector(), vector(), vector(), vector({ low: 0.1, high: 3 })];
  return node('BatchNormalization', r.version(9), inputs, { epsilon: epsilon(r) });
}

function instanceNormalization(r) {
  const shape = [r.int(1, 3), r.int(1, 4), ...range(r.int(1, 3)).map(() => r.int(2, 4))];
  const vector = () => r.mayFix(r.tensor('float32', [shape[1]]), 0.6);
  return node('InstanceNormalization', r.version(7), [r.tensor('float32', shape), vector(), vector()], {
    epsilon: epsilon(r),
  });
}

function groupNormalization(r) {
  const groups = r.int(1, 3);
  const channels = groups * r.int(1, 3);
  const version = r.version(18);
  const shape = [r.int(1, 2), channels, ...range(r.int(1, 3)).map(() => r.int(2, 4))];
  const vector = () => r.mayFix(r.tensor('float32', [version < 21 ? groups : channels]), 0.6);
  return node('GroupNormalization', version, [r.tensor('float32', shape), vector(), vector()], {
    num_groups: groups,
    epsilon: epsilon(r),
  });
}

function layerNormalization(r) {
  const type = r.pick(['float32', 'float32', 'float64', 'float16']);
  const shape = r.dims(1, 4, 5, 0);
  const axis = r.int(0, shape.length - 1);
  const inputs = [r.tensor(type, shape), r.mayFix(r.tensor(type, shape.slice(axis)), 0.6)];
  if (r.chance(0.6)) inputs.push(r.mayFix(r.tensor(type, shape.slice(axis)), 0.6));
  const outputs = type === 'float32' ? r.int(1, 3) : 1;
  return node(
    'LayerNormalization',
    r.version(17),
    inputs,
    { axis: axis === shape.length - 1 ? r.maybe(-1) : axis, epsilon: epsilon(r) },
    { outputs, types: [type, 'float32', 'float32'] },
  );
}

function rmsNormalization(r) {
  const shape = r.dims(1, 4, 5, 0);
  const axis = r.int(0, shape.length - 1);
  const inputs = [r.tensor('float32', shape), r.mayFix(r.tensor('float32', shape.slice(axis)), 0.6)];
  return node('RMSNormalization', r.version(23), inputs, {
    axis: axis === shape.length - 1 ? r.maybe(-1) : axis,
    epsilon: epsilon(r),
  });
}

function meanVariance(r) {
  const shape = range(4).map(() => r.int(2, 4));
  return node('MeanVarianceNormalization', r.version(9), [r.tensor('float32', shape)], {
    axes: r.maybe(r.pick([[0, 2, 3], [1], [0, 1, 2, 3], [-1, 2]])),
  });
}

function lrn(r) {
  const attributes = {
    size: r.pick([1, 3, 5, 2, 4]),
    alpha: r.maybe({ float: r.float(0, 1) }),
    beta: r.maybe({ float: r.float(0.3, 1) }),
    bias: r.maybe({ float: r.float(0.5, 2) }),
  };
  return node('LRN', r.version(7), [r.tensor('float32', r.dims(4, 4, 5, 0))], attributes);
}

/** Equations of Einsum, with the shapes of their letters: the ellipsis stands for two axes. */
const kEquations = [
  'ij,jk->ik',
  'ij,jk',
  'bij,bjk->bik',
  'ij->ji',
  'ij->',
  'ij->i',
  'ii->i',
  'ii',
  'i,i->',
  'i,j->ij',
  'bhid,bhjd->bhij',
  '...ij,...jk->...ik',
  '...ij->...ji',
  '...i->...',
  'ij,kj,kl->il',
  'abc,cd,be->ade',
  'iij->j',
  'ijk->k',
  'ab,ab->ab',
  'ab,a->b',
  'abc->bca',
  '...,...->...',
  'a...,b...->ab...',
  'i j, j k -> k i',
  'bij,jk->bik',
  'ij,ij->',
  'aB,Bc->ac',
  'i->',
];

function einsum(r) {
  const equation = r.pick(kEquations);
  const extents = {};
  const ellipsis = r.dims(0, 2, 3, 0);
  const type = r.pick(['float32', 'float32', 'float64', 'int32', 'int64']);
  const inputs = equation
    .split('->')[0]
    .split(',')
    .map((term) => {
      const shape = term
        .replaceAll(' ', '')
        .match(/\.\.\.|[a-zA-Z]/g)
        .flatMap((letter) => (letter === '...' ? ellipsis : [(extents[letter] ??= r.int(1, 4))]));
      return r.mayFix(r.tensor(type, shape));
    });
  return node('Einsum', r.version(12), inputs, { equation });
}

function det(r) {
  const n = r.int(1, 4);
  return node('Det', r.version(11), [r.tensor('float32', [...r.dims(0, 2, 3, 0), n, n])]);
}

/** NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. */
const loss = (op, since) => (r) => {
  const classes = r.int(2, 5);
  const rest = r.dims(0, 2, 4, 0);
  const batch = r.int(1, 3);
  const x = r.tensor('float32', [batch, classes, ...rest]);
  const ignored = r.maybe(r.pick([0, 1, -1]), 0.4);
  const label = () => (ignored === -1 && r.chance(0.2) ? -1 : r.int(0, classes - 1));
  const count = sizeOf([batch, ...rest]);
  const labels = tensor(
    r.pick(['int64', 'int32']),
    [batch, ...rest],
    [0, ...range(count - 1).map(label)].map((value, i) => (i === 0 ? (ignored === 0 ? 1 : 0) : value)),
  );
  const weights = r.chance(0.5) ? [r.mayFix(r.tensor('float32', [classes], { low: 0.1, high: 2 }))] : [];
  const outputs = op === 'SoftmaxCrossEntropyLoss' ? r.int(1, 2) : 1;
  return node(
    op,
    r.version(since),
    [x, labels, ...weights],
    { ignore_index: ignored, reduction: r.maybe(r.pick(['none', 'sum', 'mean'])) },
    { outputs, types: ['float32', 'float32'] },
  );
};

function dropout(r) {
  const version = r.version(7);
  const x = r.tensor(r.pick(kFloats), r.dims());
  // Before opset 12 the mask of what is not dropped is false in onnxruntime.
  const more = { outputs: version >= 12 ? r.int(1, 2) : 1, types: [x.type, 'bool'] };
  if (version < 12) return node('Dropout', version, [x], { ratio: r.maybe({ float: 0.3 }) }, more);
  const inputs = [
    x,
    r.chance(0.6) ? r.mayFix(tensor('float32', [], [0.4])) : null,
    r.chance(0.3) ? r.mayFix(tensor('bool', [], [0]), 0.8) : null,
  ];
  return node('Dropout', version, withoutEnd(inputs), {}, more);
}

const kFloatsAndDoubles = ['float32', 'float32', 'float64'];

export const reductionOps = {
  ArgMax: position('ArgMax'),
  ArgMin: position('ArgMin'),
  BatchNormalization: batchNormalization,
  CumProd: cumulated('CumProd', 26),
  CumSum: cumulated('CumSum', 11),
  Det: det,
  Dropout: dropout,
  Einsum: einsum,
  Gemm: gemm,
  GroupNormalization: groupNormalization,
  Hardmax: alongAxis('Hardmax'),
  InstanceNormalization: instanceNormalization,
  LRN: lrn,
  LayerNormalization: layerNormalization,
  LogSoftmax: alongAxis('LogSoftmax'),
  LpNormalization: lpNormalization,
  MatMul: matMul,
  MeanVarianceNormalization: meanVariance,
  NegativeLogLikelihoodLoss: loss('NegativeLogLikelihoodLoss', 12),
  RMSNormalization: rmsNormalization,
  ReduceL1: reduction('ReduceL1'),
  ReduceL2: reduction('ReduceL2'),
  ReduceLogSum: reduction('ReduceLogSum', 18, kFloatsAndDoubles, { low: 0.1, high: 5 }),
  ReduceLogSumExp: reduction('ReduceLogSumExp', 18, kFloatsAndDoubles),
  ReduceMax: reduction('ReduceMax', 18, [...kReduced, 'int8', 'uint8', 'bool']),
  ReduceMean: reduction('ReduceMean'),
  ReduceMin: reduction('ReduceMin', 18, [...kReduced, 'int8', 'uint8', 'bool']),
  ReduceProd: reduction('ReduceProd', 18, kReduced, { low: -2, high: 2 }),
  ReduceSum: reduction('ReduceSum', 13),
  ReduceSumSquare: reduction('ReduceSumSquare'),
  Softmax: alongAxis('Softmax'),
  SoftmaxCrossEntropyLoss: loss('SoftmaxCrossEntropyLoss', 12),
  TopK: topK,
};
