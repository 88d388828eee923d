// Random graphs with branches, loops, scans and sequences.
import { int64s, range, tensor } from './values.mjs';

const kUnary = ['Relu', 'Neg', 'Sigmoid', 'Abs', 'Tanh'];
const kBinary = ['Add', 'Sub', 'Mul', 'Max'];

const graphCase = (r, nodes, inputs, types, more) => ({
  op: undefined,
  nodes,
  version: r.int(16, 26),
  inputs,
  outputs: types.length,
  types,
  ...more,
});
const single = (op, inputs, output, attributes) => ({ op, inputs, outputs: [output], attributes });
const anyShape = (name, type = 'float32') => ({ name, type });

/** If: branches read names of the graph around them, and may have branches of their own. */
function branch(r) {
  const shape = r.dims(0, 3);
  const inputs = [
    r.mayFix(tensor('bool', [], [r.int(0, 1)]), 0.3),
    r.tensor('float32', shape),
    r.mayFix(r.tensor('float32', r.narrowed(shape))),
  ];
  const body = (prefix, depth) => {
    const nodes = [single(r.pick(kBinary), ['around', 'x2'], `${prefix}a`)];
    let last = `${prefix}a`;
    if (depth > 0 && r.chance(0.4)) {
      nodes.push({
        op: 'If',
        inputs: ['x0'],
        outputs: [`${prefix}b`],
        attributes: {
          then_branch: { graph: body(`${prefix}t`, depth - 1) },
          else_branch: { graph: body(`${prefix}e`, depth - 1) },
        },
      });
      last = `${prefix}b`;
    }
    nodes.push(single(r.pick(kUnary), [last], `${prefix}c`));
    return { nodes, outputs: [anyShape(`${prefix}c`), anyShape(`${prefix}a`)].slice(0, depth === 2 ? 2 : 1) };
  };
  const nodes = [
    single(r.pick(kUnary), ['x1'], 'around'),
    {
      op: 'If',
      inputs: ['x0'],
      outputs: ['y0', 'y1'],
      attributes: { then_branch: { graph: body('t', 2) }, else_branch: { graph: body('e', 2) } },
    },
  ];
  return graphCase(r, nodes, inputs, ['float32', 'float32']);
}

/** Loop: a state, a value of the graph around it, and sometimes a condition that ends it. */
function loop(r) {
  const shape = r.dims(0, 2, 3, 0);
  const hasTrips = r.chance(0.8);
  const endsEarly = !hasTrips || r.chance(0.5);
  const inputs = [
    hasTrips ? r.mayFix(int64s([r.int(0, 5)], r.pick([[], [1]]))) : null,
    r.chance(0.7) ? r.mayFix(tensor('bool', [], [1])) : null,
    r.tensor('float32', shape, { low: 0, high: 1 }),
    r.mayFix(r.tensor('float32', shape, { low: 0.1, high: 1 })),
    { ...int64s([r.int(0, 4)], []), isConstant: true },
  ];
  const body = {
    nodes: [
      single(r.pick(['Add', 'Max']), ['state', 'x3'], 'next'),
      single('Less', ['i', 'x4'], 'less'),
      single('Identity', [endsEarly ? 'less' : 'on'], 'onward'),
      single(r.pick(kUnary), ['next'], 'scanned'),
      single('Cast', ['i'], 'count', { to: 1 }),
      single('Add', ['scanned', 'count'], 'listed'),
    ],
    inputs: [{ name: 'i', shape: [], type: 'int64' }, { name: 'on', shape: [], type: 'bool' }, anyShape('state')],
    outputs: [anyShape('onward', 'bool'), anyShape('next'), anyShape('listed')],
  };
  const nodes = [
    {
      op: 'Loop',
      inputs: [inputs[0] ? 'x0' : '', inputs[1] ? 'x1' : '', 'x2'],
      outputs: ['y0', 'y1'],
      attributes: { body: { graph: body } },
    },
  ];
  return graphCase(r, nodes, inputs, ['float32', 'float32']);
}

/** Scan: states, scanned inputs with axes and directions, and scanned outputs. */
function scan(r) {
  const steps = r.int(1, 5);
  const shape = r.dims(0, 2, 3, 0);
  const axis = r.int(0, shape.length);
  const x = [...shape.slice(0, axis), steps, ...shape.slice(axis)];
  const outAxis = r.int(0, shape.length);
  const body = {
    nodes: [
      single(r.pick(kBinary), ['state', 'element'], 'next'),
      single(r.pick(kBinary), ['next', 'x2'], 'each'),
      single('Identity', ['next'], 'last'),
    ],
    inputs: [anyShape('state'), anyShape('element')],
    outputs: [anyShape('last'), anyShape('each')],
  };
  const attributes = {
    body: { graph: body },
    num_scan_inputs: 1,
    scan_input_axes: axis === 0 ? r.maybe([0]) : [r.chance(0.3) ? axis - x.length : axis],
    scan_input_directions: r.maybe([r.int(0, 1)]),
    scan_output_axes: outAxis === 0 ? r.maybe([0]) : [outAxis],
    scan_output_directions: r.maybe([r.int(0, 1)]),
  };
  const used = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const inputs = [r.tensor('float32', shape), r.tensor('float32', x), r.mayFix(r.tensor('float32', []))];
  return graphCase(r, [{ op: 'Scan', inputs: ['x0', 'x1'], outputs: ['y0', 'y1'], attributes: used }], inputs, [
    'float32',
    'float32',
  ]);
}

/** Sequences: made, changed at positions, and read. */
function sequence(r) {
  const shape = r.dims(1, 3, 4, 0);
  const count = r.int(1, 3);
  const inputs = range(count).map(() => r.mayFix(r.tensor('float32', shape)));
  const nodes = [{ op: 'SequenceConstruct', inputs: range(count).map((i) => `x${i}`), outputs: ['s0'] }];
  let length = count;
  let name = 's0';
  const position = (end) => {
    inputs.push(r.mayFix(tensor(r.pick(['int32', 'int64']), [], [r.int(-end, end - 1)])));
    return `x${inputs.length - 1}`;
  };
  for (let i = r.int(0, 3); i > 0; --i) {
    const next = `s${nodes.length}`;
    if (r.chance(0.5) || length < 2) {
      const at = r.chance(0.7) ? [r.chance(0.8) ? position(length) : ''].filter(Boolean) : [];
      nodes.push({ op: 'SequenceInsert', inputs: [name, 'x0', ...at], outputs: [next] });
      ++length;
    } else {
      nodes.push({
        op: 'SequenceErase',
        inputs: [name, ...(r.chance(0.7) ? [position(length)] : [])],
        outputs: [next],
      });
      --length;
    }
    name = next;
  }
  const axis = r.int(0, shape.length - 1);
  const newAxis = r.int(0, 1);
  nodes.push(
    { op: 'SequenceAt', inputs: [name, position(length)], outputs: ['y0'] },
    { op: 'SequenceLength', inputs: [name], outputs: ['y1'] },
    {
      op: 'ConcatFromSequence',
      inputs: [name],
      outputs: ['y2'],
      attributes: { axis: r.chance(0.3) ? axis - shape.length - newAxis : axis, new_axis: newAxis },
    },
  );
  return graphCase(r, nodes, inputs, ['float32', 'int64', 'float32']);
}

function splitToSequence(r) {
  const shape = r.dims(1, 3, 6, 0);
  const axis = r.int(0, shape.length - 1);
  const extent = shape[axis];
  const attributes = { axis: r.chance(0.3) ? axis - shape.length : axis };
  const inputs = [r.mayFix(r.tensor(r.pick(['float32', 'int32', 'int64']), shape))];
  const kind = r.int(0, 2);
  let parts = extent;
  if (kind === 1) {
    const size = r.int(1, extent);
    parts = Math.ceil(extent / size);
    inputs.push(r.mayFix(int64s([size], []), 0.7));
  } else if (kind === 2) {
    const first = r.int(0, extent);
    inputs.push(r.mayFix(int64s([first, extent - first]), 0.7));
    parts = 2;
  } else if (r.chance(0.6)) {
    attributes.keepdims = r.int(0, 1);
  }
  inputs.push(int64s([r.int(-parts, parts - 1)], []));
  const nodes = [
    { op: 'SplitToSequence', inputs: range(inputs.length - 1).map((i) => `x${i}`), outputs: ['s'], attributes },
    { op: 'SequenceAt', inputs: ['s', `x${inputs.length - 1}`], outputs: ['y0'] },
    { op: 'SequenceLength', inputs: ['s'], outputs: ['y1'] },
  ];
  return graphCase(r, nodes, inputs, [inputs[0].type, 'int64']);
}

function optionalValue(r) {
  const nodes = [
    { op: 'Optional', inputs: ['x0'], outputs: ['o'] },
    { op: 'OptionalHasElement', inputs: ['o'], outputs: ['y0'] },
    { op: 'OptionalGetElement', inputs: ['o'], outputs: ['y1'] },
  ];
  return graphCase(r, nodes, [r.mayFix(r.tensor('float32', r.dims()))], ['bool', 'float32']);
}

/** Text: joined, split, and compared. */
function text(r) {
  const words = (shape) =>
    tensor(
      'string',
      shape,
      range(shape.reduce((a, b) => a * b, 1)).map(() =>
        r.pick(['', 'a', 'a b', 'b,c', ',a,,b', ' x  y ', 'Ä', 'monday']),
      ),
    );
  const [a, b] = r.pair(3);
  if (r.chance(0.5))
    return {
      op: 'StringConcat',
      version: r.version(20),
      inputs: [words(a), words(b)],
      attributes: {},
      outputs: 1,
      types: ['string'],
    };
  const delimiter = r.maybe(r.pick([',', ' ', '']), 0.7);
  const attributes = { delimiter, maxsplit: delimiter ? r.maybe(r.int(0, 3), 0.5) : undefined };
  // By a delimiter, Python splits '' into [''], onnxruntime into []. By spaces, Python keeps those of the last part.
  const given = words(a);
  if (delimiter) given.values = given.values.map((word) => word || 'b');
  return {
    op: 'StringSplit',
    version: r.version(20),
    inputs: [given],
    attributes,
    outputs: 2,
    types: ['string', 'int64'],
  };
}

export const controlGraphs = {
  If: branch,
  Loop: loop,
  Optional: optionalValue,
  Scan: scan,
  Sequence: sequence,
  SplitToSequence: splitToSequence,
  String: text,
};
