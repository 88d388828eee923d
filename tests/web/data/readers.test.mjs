// Readers of record files: values, streaming, and errors that name file and record.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';
import { example, npyFile, tfRecordFile } from './files.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-readers-'));
after(() => rmSync(folder, { recursive: true }));
const clean = (name, body) => test(name, () => leavesNothingAsync(body));

function fileOf(name, bytes) {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function all(dataset) {
  const values = [];
  await dataset.forEachAsync(
    (x) => void values.push(x instanceof tf.Tensor ? { dtype: x.dtype, shape: x.shape, values: [...x.dataSync()] } : x),
  );
  return values;
}

clean('jsonLines: values from paths, URLs, bytes and blobs, gzipped or not', async () => {
  const text = '\uFEFF{"a": 1}\r\n\n[2]\n"drei"';
  const want = [{ a: 1 }, [2], 'drei'];
  const file = fileOf('values.jsonl', text);
  const zipped = fileOf('values.jsonl.gz', gzipSync(text));
  const notZipped = fileOf('unzipped.jsonl.gz', text);
  const bytes = new TextEncoder().encode(text);
  const zippedBlob = new tf.data.FileDataSource(new Blob([gzipSync(text)]), { gzip: true, chunkSize: 1 });
  const sources = [
    file,
    `file://${file}`,
    pathToFileURL(file),
    pathToFileURL(zipped).href,
    zipped,
    notZipped,
    bytes,
    new Blob([bytes]),
    zippedBlob,
  ];
  for (const source of sources) assert.deepEqual(await all(tf.data.jsonLines(source)), want, String(source));
});

clean('jsonLines: an error names the invalid line', async () => {
  const file = fileOf('bad.jsonl', '1\n\n{"a": \n3\n');
  await assert.rejects(all(tf.data.jsonLines(file)), (error) =>
    error.message.startsWith(`[jsonLines] ${file}, line 3: `),
  );
  await assert.rejects(all(tf.data.jsonLines(path.join(folder, 'none.jsonl'))), /ENOENT.*none\.jsonl/);
  const broken = fileOf('broken.jsonl.gz', gzipSync('1\n2\n').subarray(0, 12));
  await assert.rejects(all(tf.data.jsonLines(broken)), (error) => error.message.startsWith(`Cannot unzip ${broken}: `));
});

clean('http: streams chunks, stops when the pass ends, and reports failures', async () => {
  let closed;
  const server = createServer((request, response) => {
    if (request.url === '/missing') return void response.writeHead(404).end();
    const rows = [...Array(5).keys()].map((i) => `${i}\n`);
    if (request.url === '/all') return void response.end(rows.join(''));
    response.write(rows.join(''));
    closed = new Promise((resolve) => response.on('close', resolve));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
  try {
    assert.deepEqual(await all(tf.data.jsonLines(at('all'))), [0, 1, 2, 3, 4]);
    assert.deepEqual(await all(tf.data.jsonLines(new Request(at('all')))), [0, 1, 2, 3, 4]);
    const got = [];
    for await (const x of tf.data.jsonLines(at('endless'))) if (got.push(x) === 3) break;
    assert.deepEqual(got, [0, 1, 2]);
    await closed;
    await assert.rejects(all(tf.data.jsonLines(at('missing'))), /missing: 404 Not Found/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

for (const [descr, write, values, dtype] of [
  ['<f4', 'Float32', [1.5, -2, 3, 0], 'float32'],
  ['>f4', 'Float32', [1.5, -2, 3, 0], 'float32'],
  ['<f8', 'Float64', [1.5, -2, 3e30, 0], 'float32'],
  ['|i1', 'Int8', [-128, 0, 1, 127], 'int32'],
  ['|u1', 'Uint8', [255, 0, 1, 127], 'int32'],
  ['<i2', 'Int16', [-32768, 0, 1, 32767], 'int32'],
  ['>u2', 'Uint16', [65535, 0, 1, 258], 'int32'],
  ['<i4', 'Int32', [-(2 ** 31), 0, 1, 2 ** 31 - 1], 'int32'],
  ['>i4', 'Int32', [-(2 ** 31), 0, 1, 2 ** 31 - 1], 'int32'],
  ['<u4', 'Uint32', [0, 1, 258, 2 ** 31 - 1], 'int32'],
  ['<i8', 'BigInt64', [-5n, 0n, 1n, 2n ** 31n - 1n], 'int32'],
  ['>u8', 'BigUint64', [5n, 0n, 1n, 258n], 'int32'],
  ['|b1', 'Uint8', [1, 0, 1, 1], 'bool'],
]) {
  clean(`npy: ${descr}`, async () => {
    const numbers = values.map((x) => Math.fround(Number(x)));
    const want = dtype === 'float32' ? numbers : values.map(Number);
    const file = fileOf('a.npy', npyFile(descr, [2, 2, 1], write, values));
    assert.deepEqual(await all(tf.data.npy(file)), [
      { dtype, shape: [2, 1], values: want.slice(0, 2) },
      { dtype, shape: [2, 1], values: want.slice(2) },
    ]);
  });
}

clean('npy: half precision, rank 0 and 1, Fortran order, and chunks of one byte', async () => {
  const halves = [0x3c00, 0xc000, 0x7c00, 0x0001, 0x7bff, 0x8000];
  const source = new tf.data.FileDataSource(npyFile('<f2', [6], 'Uint16', halves, { version: 2 }), { chunkSize: 1 });
  assert.deepEqual(
    (await all(tf.data.npy(source))).map(({ values }) => values[0]),
    [1, -2, Infinity, 2 ** -24, 65504, -0],
  );
  assert.deepEqual(await all(tf.data.npy(npyFile('<f4', [], 'Float32', [7]))), [
    { dtype: 'float32', shape: [], values: [7] },
  ]);
  assert.equal((await all(tf.data.npy(npyFile('<i4', [3], 'Int32', [1, 2, 3], { fortran: true })))).length, 3);
  await assert.rejects(
    all(tf.data.npy(npyFile('<i4', [2, 1], 'Int32', [1, 2], { fortran: true }))),
    /Fortran order.*ascontiguousarray/,
  );
});

clean('npy: errors name the problem', async () => {
  const good = npyFile('<i4', [3, 2], 'Int32', [1, 2, 3, 4, 5, 6]);
  const rejects = (bytes, pattern) => assert.rejects(all(tf.data.npy(fileOf('bad.npy', bytes))), pattern);
  await rejects(good.subarray(0, good.length - 1), /^Error: \[npy\] \S*bad\.npy ends in row 2 of 3$/);
  await rejects(new TextEncoder().encode('no numpy'), /bad\.npy is not an \.npy file/);
  await rejects(good.subarray(0, 9), /ends within its header/);
  await rejects(npyFile('<U5', [1], 'Int32', [1]), /has values of type '<U5', which no tensor has/);
  await rejects(npyFile('<i8', [2], 'BigInt64', [1n, 2n ** 40n]), /row 1 has 1099511627776, which is not an int32/);
  await rejects(npyFile('<i4', [2 ** 40, 2 ** 10], 'Int32', [1]), /ends in row 0 of 1099511627776/);
  for (let at = 0; at < 60; at++) {
    const spoilt = Uint8Array.from(good);
    spoilt[at] ^= 0x55;
    await all(tf.data.npy(fileOf('bad.npy', spoilt))).catch((error) => assert.match(error.message, /bad\.npy/));
  }
});

const bytesOf = (text) => new TextEncoder().encode(text);
const records = [
  example({
    image: [bytesOf('ab'), bytesOf('')],
    size: Float32Array.of(1.5, -2),
    label: [7],
    id: [-1, 2 ** 40, 2n ** 63n - 1n],
  }),
  example({ label: [-3] }, { packed: false }),
  example({}),
];

clean('tfRecord: examples without a description, and the bytes of records', async () => {
  const file = fileOf('some.tfrecord', tfRecordFile(records));
  const zipped = fileOf('some.tfrecord.gz', gzipSync(tfRecordFile(records)));
  const slow = new tf.data.FileDataSource(tfRecordFile(records), { chunkSize: 3 });
  for (const source of [file, zipped, slow]) {
    assert.deepEqual(await all(tf.data.tfRecord(source)), [
      {
        image: [bytesOf('ab'), bytesOf('')],
        size: Float32Array.of(1.5, -2),
        label: [7],
        id: [-1, 2 ** 40, 2n ** 63n - 1n],
      },
      { label: [-3] },
      {},
    ]);
    assert.deepEqual(await all(tf.data.tfRecord(source, { as: 'bytes' })), records);
  }
});

clean('tfRecord: features by their description', async () => {
  const features = {
    image: { dtype: 'string', default: 'none' },
    size: { dtype: 'float32', shape: [2, 1], default: 0 },
    label: { dtype: 'int32', shape: [] },
  };
  const got = [];
  await tf.data.tfRecord(tfRecordFile(records.slice(0, 2)), { features }).forEachAsync(({ size, ...rest }) => {
    got.push({ ...rest, size: size instanceof tf.Tensor ? [size.shape, [...size.dataSync()]] : size });
  });
  assert.deepEqual(got, [
    {
      image: ['ab', ''],
      label: 7,
      size: [
        [2, 1],
        [1.5, -2],
      ],
    },
    { image: 'none', label: -3, size: 0 },
  ]);
  const rejects = (spec, pattern) =>
    assert.rejects(all(tf.data.tfRecord(tfRecordFile(records), { features: spec })), pattern);
  await rejects({ x: { dtype: 'int32' } }, /record 0: there is no feature 'x': the record has image, size, label, id/);
  await rejects({ label: { dtype: 'float32' } }, /feature 'label' has int64 values, not float32/);
  await rejects(
    { size: { dtype: 'float32', shape: [3] } },
    /feature 'size' has 2 values, which do not fit the shape \[3\]/,
  );
  await rejects({ id: { dtype: 'int32', shape: [3] } }, /feature 'id' has 1099511627776, which is not an int32/);
  await rejects({ label: { dtype: 'int32' } }, /record 2: there is no feature 'label': the record has none/);
});

clean('tfRecord: an error names the record, whichever byte is corrupted', async () => {
  const good = tfRecordFile(records);
  const second = records[0].length + 16;
  for (let at = 0; at < good.length; at++) {
    const spoilt = Uint8Array.from(good);
    spoilt[at] ^= 1 << at % 8;
    const record = at < second ? 0 : at < second + records[1].length + 16 ? 1 : 2;
    await assert.rejects(all(tf.data.tfRecord(fileOf('bad.tfrecord', spoilt))), (error) => {
      assert.match(
        error.message,
        new RegExp(
          `^\\[tfRecord\\] \\S*bad\\.tfrecord, record ${record}, at byte \\d+: the checksum of its (length|data) is wrong$`,
        ),
      );
      return true;
    });
  }
  for (const length of [3, 14, second - 1]) {
    await assert.rejects(
      all(tf.data.tfRecord(good.subarray(0, length))),
      /a file, record 0, at byte 0: the file ends within its/,
    );
  }
  // The checksum is valid, the message is not.
  for (const bytes of [[0x0a, 5], [0x0a, 2, 0x0a, 9], [0x08, ...Array(11).fill(255)], [0x0b], [0x0d, 1]]) {
    await assert.rejects(
      all(tf.data.tfRecord(tfRecordFile([Uint8Array.from(bytes)]))),
      /^Error: \[tfRecord\] a file, record 0: /,
    );
  }
});

clean('names such as __proto__ are ordinary keys', async () => {
  const [value] = await all(tf.data.tfRecord(tfRecordFile([example({ ['__proto__']: [1] })])));
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal({}.polluted, undefined);
});

const decoded = (base64) => Uint8Array.from(Buffer.from(base64, 'base64'));

clean('files that NumPy 1.24 wrote', async () => {
  const halves =
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPmYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDIpLCB9ICAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo+AMAALmZ7/w==';
  const bools =
    'k05VTVBZAwB0AAAAeydkZXNjcic6ICd8YjEnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAAE=';
  const dates =
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPE04W0RdJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIApWRwAAAAAAAA==';
  assert.deepEqual(await all(tf.data.npy(decoded(halves))), [
    { dtype: 'float32', shape: [2], values: [1.5, -2] },
    { dtype: 'float32', shape: [2], values: [0.0999755859375, 65504] },
  ]);
  assert.deepEqual(
    (await all(tf.data.npy(decoded(bools)))).map(({ values }) => values[0]),
    [1, 0, 1],
  );
  await assert.rejects(all(tf.data.npy(decoded(dates))), /has values of type '<M8\[D\]', which no tensor has/);
});

clean("records that Google's protobuf wrote, zipped in two members", async () => {
  const plain =
    'UgAAAAAAAAAl6we3ClAKEgoGbmHDr3ZlEggKBgoC/wAKAAoICgRub25lEgAKEQoBeBIMEgoKCAAAwD/NzMy9Ch0KAXkSGBoWChT///////////8BgICA' +
    'gICAgBCsAi8v16wAAAAAAAAAACkDmAfY6oKi';
  const zipped =
    'H4sIAAAAAAACAwtigADV1+zbuQK4hLjY8hIPry9LFeLgYuNi+s/AxcDFwcWSlw8AET5mqSgAAAAfiwgAAAAAAAIDy0sVYuAS5GKsEOIR4uLiYGA4YH/2' +
    'zJm9XLJcjJVCElJiXCL/YYCxAQIE1jDp619fwwAFmswz2G+8aloEAJkP4mdKAAAA';
  const want = [
    {
      naïve: [Uint8Array.of(255, 0), new Uint8Array()],
      none: [],
      x: Float32Array.of(1.5, -0.1),
      y: [-1, 2n ** 53n, 300],
    },
    {},
  ];
  for (const source of [decoded(plain), new tf.data.FileDataSource(decoded(zipped), { gzip: true, chunkSize: 7 })]) {
    assert.deepEqual(await all(tf.data.tfRecord(source)), want);
  }
});
