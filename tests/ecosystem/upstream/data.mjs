// Cases of @tensorflow/tfjs-data. tests/conformance/pipelines.mjs compares random pipelines with Tenure's own.
const rows = async (dataset) => {
  const found = [];
  await dataset.forEachAsync((row) => void found.push(plain(row)));
  return found;
};

/** Returns the values of tensors, and disposes them. */
function plain(row) {
  if (row?.dataSync) {
    const value = { shape: row.shape, dtype: row.dtype, values: Array.from(row.dataSync()) };
    row.dispose();
    return value;
  }
  if (row === null || typeof row !== 'object') return row;
  return Array.isArray(row)
    ? row.map(plain)
    : Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

const upTo = (data, n) => data.array(Array.from({ length: n }, (_, i) => ({ x: i, y: [i, i * i] })));
const csv = (data, text, config) =>
  new data.CSVDataset(new data.FileDataSource(new TextEncoder().encode(text)), config);

/** `{ name: (tf, layers, { data }) => results }` */
export const dataCases = {
  'data: batch': (tf, _, { data }) => rows(upTo(data, 7).batch(3)),
  'data: batch without the rest': (tf, _, { data }) => rows(upTo(data, 7).batch(3, false)),
  'data: rows into columns of tensors': (tf, _, { data }) =>
    rows(
      upTo(data, 4)
        .map(({ x }) => tf.fill([2], x))
        .batch(2),
    ),
  'data: shuffle': (tf, _, { data }) => rows(upTo(data, 9).shuffle(4, 'seed')),
  'data: filter, skip, take, repeat': (tf, _, { data }) =>
    rows(
      upTo(data, 9)
        .filter(({ x }) => x % 2 === 0)
        .skip(1)
        .take(3)
        .repeat(2),
    ),
  'data: mapAsync and prefetch': (tf, _, { data }) =>
    rows(
      upTo(data, 5)
        .mapAsync(async ({ x }) => tf.scalar(x))
        .prefetch(2),
    ),
  'data: zip and concatenate': (tf, _, { data }) =>
    rows(data.zip({ a: upTo(data, 3), b: data.array([1, 2]).concatenate(data.array([3, 4])) })),
  'data: generator': (tf, _, { data }) =>
    rows(
      data.generator(function* () {
        yield tf.scalar(1);
        yield tf.scalar(2);
      }),
    ),
  'data: func': (tf, _, { data }) => {
    let i = 0;
    return rows(data.func(() => ({ value: i, done: i++ === 3 })));
  },
  'data: rowMajorBatch of strings and booleans': (tf, _, { data }) =>
    rows(
      data
        .array([
          { a: 'a', b: true },
          { a: 'b', b: false },
        ])
        .batch(2),
    ),
  'data: csv': (tf, _, { data }) =>
    rows(csv(data, 'a,b,c\n1,"x,y",true\n2,z,', { columnConfigs: { b: { isLabel: true } } })),
  'data: csv, typed': (tf, _, { data }) =>
    rows(
      csv(data, '1;2\n3;4', {
        hasHeader: false,
        columnNames: ['p', 'q'],
        delimiter: ';',
        configuredColumnsOnly: true,
        columnConfigs: { q: { dtype: 'int32', required: true } },
      }),
    ),
  'data: text lines': (tf, _, { data }) =>
    rows(new data.TextLineDataset(new data.FileDataSource(new TextEncoder().encode('a\r\nb\n\nc')))),
  'data: toArray': (tf, _, { data }) => upTo(data, 3).toArray(),
  'data: an iterator': async (tf, _, { data }) => {
    const at = await upTo(data, 2).iterator();
    return [await at.next(), await at.next(), await at.next()];
  },
  'error: a map that fails': (tf, _, { data }) =>
    rows(
      upTo(data, 2).map(() => {
        throw new Error('no');
      }),
    ),
  'error: a csv row too long': (tf, _, { data }) => rows(csv(data, 'a,b\n1,2,3')),
  'error: no batch size': (tf, _, { data }) => rows(upTo(data, 2).batch(0)),
};
