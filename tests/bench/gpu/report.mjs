// Evaluates the rows of tenure_gpu_bench: a table, and the kernel measured to be best for each choice.

const of = (rows, kind) => rows.filter((row) => row.kind === kind);
const digits = (value, unit = '') => (Number.isFinite(value) ? `${Number(value.toPrecision(3))}${unit}` : '-');
const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
/** Returns the speedup of `fast` over `slow`, over all rows that have both. */
const gain = (rows, slow, fast) => {
  const both = rows.filter((row) => row[slow] > 0 && row[fast] > 0);
  return both.length > 0 ? geometricMean(both.map((row) => row[slow] / row[fast])) : NaN;
};

/**
 * Returns what each threshold and choice should be on this device, and what the probe chose at the start: `{name, where,
 * chosen, measured, agrees}`. `agrees` is undefined if nothing was chosen.
 */
export function findings(rows) {
  const tuning = of(rows, 'tuning')[0] ?? {};
  const products = of(rows, 'product');
  const choices = of(rows, 'choice');
  const list = [];
  const choice = (name, flag, value, words) => {
    if (Number.isFinite(value))
      list.push({
        name,
        where: `Tuning::${flag}`,
        chosen: tuning[flag],
        measured: words,
        agrees: isClose(value) || tuning[flag] === value > 1,
      });
  };
  const lod = geometricMean([
    gain(choices, 'base_ms', 'lod_ms'),
    gain(products, 'fragments_texel_ms', 'fragments_lod_ms'),
  ]);
  choice('textureLod instead of texelFetch', 'fetches_by_lod', lod, `${digits(lod)} times as fast`);
  const best = products.map((row) => ({
    fragments: Math.min(row.fragments_texel_ms, row.fragments_lod_ms),
    vertices: row.vertices_ms,
  }));
  const tiles = gain(best, 'fragments', 'vertices');
  choice('tiles of vertices instead of fragments', 'vertex_tiles', tiles, `${digits(tiles)} times as fast`);
  const division = gain(choices, 'base_ms', 'float_division_ms');
  choice('division of indices in float32', 'divides_in_float', division, `${digits(division)} times as fast`);
  const squares = gain(choices, 'base_ms', 'squares_ms');
  choice('large outputs drawn in squares', 'draws_squares', squares, `${digits(squares)} times as fast`);
  const leaving = gain(of(rows, 'leaving'), 'device_ms', 'cpu_ms');
  choice('GPU_KERNELs left to one thread of the CPU', 'prefers_cpu', leaving, `${digits(leaving)} times as fast`);
  const splits = of(rows, 'split').sort((a, b) => a.ms - b.ms);
  if (splits.length > 0) {
    const used = splits.find(({ vertices }) => vertices === nearest(splits, tuning.busy_vertices));
    list.push({
      name: 'vertices of a split sum',
      where: 'Tuning::busy_vertices',
      chosen: tuning.busy_vertices,
      measured: `${splits[0].vertices} best`,
      agrees: used.ms < 1.25 * splits[0].ms,
    });
  }
  for (const family of ['add', 'matmul']) {
    const sizes = of(rows, 'size')
      .filter((row) => row.family === family)
      .sort((a, b) => a.elements - b.elements);
    const from = (key) => crossing(sizes, key) ?? 'no size';
    if (sizes.length > 0)
      list.push({
        name: `${family}: elements from which the device is faster`,
        where: 'kMinElementsForDevice',
        measured: `${from('round_trip_ms')} with the way there and back, ${from('resident_ms')} without`,
      });
  }
  const bound = (name) => of(rows, 'bound').find((row) => row.name === name)?.value;
  const roundTrip = bound('draw and read of 16 elements');
  if (roundTrip)
    list.push({
      name: 'draw and read',
      where: 'kRoundTrip of model/plan/placement.cpp',
      measured: digits(roundTrip, ' us'),
    });
  const draw = bound('one of a hundred small draws');
  if (draw)
    list.push({ name: 'one draw of many', where: 'kDraw of model/plan/placement.cpp', measured: digits(draw, ' us') });
  const product = of(rows, 'op').filter(({ family, flops }) => family === 'matmul' && flops > 1e8);
  if (product.length > 0) {
    const rate = geometricMean(product.map(({ flops, cpu_ms: ms }) => flops / 2 / (ms * 1e3)));
    list.push({
      name: 'products of one thread of the CPU',
      where: 'kWorkPerMicrosecond of model/plan/placement.cpp',
      measured: digits(rate, ' a us'),
    });
  }
  return list;
}

/** A difference below a tenth is not significant. */
const isClose = (value) => Math.abs(Math.log(value)) < Math.log(1.1);

const nearest = (splits, vertices) =>
  splits
    .map((row) => row.vertices)
    .reduce((a, b) => (Math.abs(Math.log(b / vertices)) < Math.abs(Math.log(a / vertices)) ? b : a));

/** Returns the smallest size from which the device is faster at all larger sizes too. */
function crossing(sizes, key) {
  let found;
  for (const row of [...sizes].reverse()) {
    if (!(row[key] < row.cpu_ms)) break;
    found = row.elements;
  }
  return found;
}

/** Returns the results as Markdown, with the card's name in the title. */
export function describe({
  card,
  date,
  quick,
  machine,
  egl,
  rows,
  tests,
  incomplete,
  seconds,
  findings: found,
  webgpu,
}) {
  const device = of(rows, 'device')[0];
  const parts = [
    `# ${card}`,
    quick ? '**A rehearsal with --quick: the figures mean nothing.**' : '',
    [
      `${date.slice(0, 10)}, ${machine.system}, ${machine.cpu} (${machine.threads} threads)`,
      `${device.vendor}; ${device.version}; ${device.float_texels} texels; through ${egl}${machine.driver ? `; ${machine.driver}` : ''}`,
      `Tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped${tests.error ? ` (${tests.error})` : ''}. Everything took ${seconds} s.`,
      ...incomplete.map(({ section, error }) => `Incomplete: ${section} (${error}).`),
    ].join('  \n'),
    '## Limits',
    table(
      ['limit', 'value'],
      Object.entries(of(rows, 'limits')[0] ?? {}).filter(([name]) => name !== 'kind'),
    ),
    '## What the probe measured at the start',
    table(
      ['rate', 'value'],
      Object.entries(of(rows, 'probe')[0] ?? {})
        .filter(([name]) => name !== 'kind')
        .map(([name, value]) => [name, typeof value === 'number' ? digits(value) : String(value)]),
    ),
    '## Bounds of the card, measured in shaders',
    boundTable(rows),
    '## Choices',
    table(
      ['choice', 'where', 'chosen', 'measured', ''],
      found.map(({ name, where, chosen, measured, agrees }) => [
        name,
        where,
        chosen ?? '-',
        measured,
        agrees === false ? '**differs**' : '',
      ]),
    ),
    '## Ops',
    opTable(rows),
    '## Models',
    modelTable(rows),
    ...describeWebgpu(webgpu),
    '## Sizes, in ms',
    table(
      ['work', 'there and back', 'on the device', 'CPU, one thread'],
      of(rows, 'size').map((row) => [row.name, ...cells(row, 'round_trip_ms', 'resident_ms', 'cpu_ms')]),
    ),
    '## Products, in ms',
    table(
      ['work', 'fragments, texelFetch', 'fragments, texture', 'vertices', 'CPU, one thread'],
      of(rows, 'product').map((row) => [
        row.name,
        ...cells(row, 'fragments_texel_ms', 'fragments_lod_ms', 'vertices_ms', 'cpu_ms'),
      ]),
    ),
    '## Other choices, in ms',
    table(
      ['work', 'as for GPUs', 'texture', 'float division', 'squares', 'CPU, one thread'],
      of(rows, 'choice').map((row) => [
        row.name,
        ...cells(row, 'base_ms', 'lod_ms', 'float_division_ms', 'squares_ms', 'cpu_ms'),
      ]),
    ),
    table(
      ['split sum', 'vertices', 'ms', 'CPU, one thread'],
      of(rows, 'split').map((row) => [row.name, row.vertices, ...cells(row, 'ms', 'cpu_ms')]),
    ),
    table(
      ['GPU_KERNEL', 'device', 'CPU, one thread'],
      of(rows, 'leaving').map((row) => [row.name, ...cells(row, 'device_ms', 'cpu_ms')]),
    ),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Returns the parts about WebGPU. */
function describeWebgpu(webgpu) {
  if (!webgpu) return ['## WebGPU', 'WebGPU has no adapter on this machine.'];
  const { card, through, rows, tests, node } = webgpu;
  const share = (value, name) =>
    digits((100 * value) / of(rows, 'bound').find((bound) => bound.name === name)?.value, ' %');
  const rateOf = (name, amount) => {
    const row = of(rows, 'op').find((op) => op.name === name);
    return row ? row[amount] / row.device_ms / 1e6 : NaN;
  };
  return [
    '## WebGPU',
    [
      `${card}, through ${through}`,
      `Tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped${tests.error ? ` (${tests.error})` : ''}.`,
      `matmul 4096: ${share(rateOf('matmul 4096x4096x4096', 'flops'), 'multiply-adds in registers')} of the multiply-adds in registers; add 4M: ${share(rateOf('add 4M', 'bytes'), 'copy')} of the copy.`,
    ].join('  \n'),
    '### Bounds of the card through WebGPU',
    boundTable(rows),
    '### Ops on WebGPU',
    opTable(rows),
    '### Models on WebGPU',
    modelTable(rows),
    '### The npm package in Node',
    `${of(node, 'device')[0]?.renderer ?? 'no device'}, through Dawn's module for Node. Ops are on values that stay on the device; predictions and steps end when their result is in JavaScript.`,
    table(
      ['op', 'ms', 'GFLOP/s', 'GB/s'],
      of(node, 'op').map(({ name, device_ms: ms, flops, bytes }) => [
        name,
        digits(ms),
        flops ? digits(flops / ms / 1e6) : '',
        digits(bytes / ms / 1e6),
      ]),
    ),
    table(
      ['model', 'ms', 'first'],
      of(node, 'model').map((row) => [row.name, ...cells(row, 'device_ms', 'device_first_ms')]),
    ),
  ];
}

const boundTable = (rows) =>
  table(
    ['bound', 'value'],
    of(rows, 'bound').map(({ name, value, unit }) => [name, digits(value, ` ${unit}`)]),
  );

const opTable = (rows) =>
  table(
    ['op', 'ms', 'GFLOP/s', 'GB/s', 'CPU, one thread', 'CPU, all threads', 'times as fast as that'],
    of(rows, 'op').map(opCells),
  );

const modelTable = (rows) =>
  table(
    ['model', 'ms', 'first', 'GFLOP/s', 'as the engine places it', 'CPU, one thread', 'CPU, all threads'],
    [
      ...of(rows, 'model').map(modelCells),
      ...of(rows, 'missing').map(({ name, why }) => [name, why, '', '', '', '', '']),
    ],
  );

const cells = (row, ...keys) => keys.map((key) => digits(row[key]));

function opCells(row) {
  const { name, on_device: stays, device_ms: ms, flops, bytes, cpu_ms: cpu, cpu_threads_ms: threads } = row;
  return [
    stays ? name : `${name} (left to the CPU)`,
    digits(ms),
    flops ? digits(flops / ms / 1e6) : '',
    digits(bytes / ms / 1e6),
    digits(cpu),
    digits(threads),
    digits(threads / ms),
  ];
}

function modelCells(row) {
  const {
    name,
    device_ms: ms,
    device_first_ms: first,
    chosen_ms: chosen,
    flops,
    cpu_ms: cpu,
    cpu_threads_ms: threads,
  } = row;
  return [
    name,
    digits(ms),
    digits(first),
    flops ? digits(flops / ms / 1e6) : '',
    digits(chosen),
    digits(cpu),
    digits(threads),
  ];
}

function table(head, body) {
  if (body.length === 0) return '';
  const line = (row) => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
